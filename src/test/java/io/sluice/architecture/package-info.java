/**
 * Rules for the code, as tests: imports and drivers ({@link
 * io.sluice.architecture.ArchitectureTest}), sizes, headers and lists ({@link
 * io.sluice.architecture.TidyTest}), pages ({@link io.sluice.architecture.DocsTest}).
 */
@NullMarked
package io.sluice.architecture;

import org.jspecify.annotations.NullMarked;
