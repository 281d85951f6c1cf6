/** The filters of the servlet stack. Nobody else uses it. */
@NullMarked
package io.sluice.spring.servlet;

import org.jspecify.annotations.NullMarked;
