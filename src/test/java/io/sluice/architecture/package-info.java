/**
 * What the code must look like, as tests: package ranks and driver fences ({@link
 * io.sluice.architecture.ArchitectureTest}), sizes, headers and tables ({@link
 * io.sluice.architecture.TidyTest}).
 */
@NullMarked
package io.sluice.architecture;

import org.jspecify.annotations.NullMarked;
