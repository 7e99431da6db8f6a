package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.List;

/**
 * A decoded record of the order log.
 *
 * @param supported false where its version is higher than this build reads; then there are no
 *     commands
 */
public record Decoded(boolean supported, List<Command> commands) {}
