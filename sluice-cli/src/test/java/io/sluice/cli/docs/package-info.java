/**
 * Tests of the documentation: links, blocks of code, and reference pages. They use the public API and the packaged jar only, so
 * no other test depends on them and they depend on no other test.
 */
@NullMarked
package io.sluice.cli.docs;

import org.jspecify.annotations.NullMarked;
