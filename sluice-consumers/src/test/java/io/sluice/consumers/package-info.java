/**
 * Tests what is published, from the outside: the poms and jars themselves, and builds of users who depend on them. The builds
 * are real. They take Sluice from the staging directory, and other artifacts from the local repository of this build.
 */
@NullMarked
package io.sluice.consumers;

import org.jspecify.annotations.NullMarked;
