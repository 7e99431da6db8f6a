package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.List;

/**
 * A decoded record of the order log.
 *
 * @param supported false if its version is higher than this build reads
 * @param commands if it is not supported, the record as one malformed command
 */
public record Decoded(boolean supported, List<Command> commands) {}
