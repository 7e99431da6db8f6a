/**
 * Reads and writes the values of requests and answers: fields of JSON bodies, parameters of paths
 * and queries, times, orders. A value that is not as expected is a {@link
 * io.sluice.web.problem.Problem.BadInputException} that names the field. Pure; any thread.
 */
@NullMarked
package io.sluice.web.format;

import org.jspecify.annotations.NullMarked;
