/** Tests of the servlet filters in a real server. */
@NullMarked
package io.sluice.spring.servlet;

import org.jspecify.annotations.NullMarked;
