/**
 * The command line of operators: a command for each call of the management port's contract.
 *
 * <p>Runs in a process of its own, on its main thread, and starts no part of the service. The
 * contract has the names, parameters and texts of the commands, so a new call needs no code here. A
 * change is sent once: an outcome that is not known is told, and repeating it is left to the
 * caller.
 */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
