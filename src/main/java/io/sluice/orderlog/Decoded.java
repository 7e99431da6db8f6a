package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.List;

/**
 * What a record of the order log says.
 *
 * @param supported false where its version is higher than this build reads; then there are no
 *     commands
 */
public record Decoded(boolean supported, List<Command> commands) {}
