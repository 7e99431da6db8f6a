/**
 * How the values of keys are read and checked: numbers, texts, files, URIs, addresses,
 * certificates. A value that is not as expected is an {@link
 * io.sluice.config.value.InvalidConfigException} that names the key and shows no secret. Knows no
 * section of the configuration. Immutable; any thread, and files are read where it is said.
 */
@NullMarked
package io.sluice.config.value;

import org.jspecify.annotations.NullMarked;
