package io.sluice;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param config the configuration file, or null for the defaults and the environment
 * @param addressFile where to write the management port's address once it listens, or null
 * @param adoptLog whether to found a new order log in a ledger whose own one is lost
 */
record Arguments(@Nullable Path config, @Nullable Path addressFile, boolean adoptLog) {
  private static final String ADOPT_LOG = "--adopt-log";
  private static final String USAGE =
      "usage: java -jar sluice.jar [--config FILE] [--address-file FILE] [--adopt-log]";

  /** Fails with the usage where the arguments are wrong. */
  static Arguments of(String... words) {
    Path config = null;
    Path addressFile = null;
    List<String> named = new ArrayList<>(List.of(words));
    boolean adoptLog = named.remove(ADOPT_LOG);
    for (List<String> rest = named; !rest.isEmpty(); rest = rest.subList(2, rest.size())) {
      if (rest.size() >= 2 && rest.get(0).equals("--config") && config == null) {
        config = Path.of(rest.get(1));
      } else if (rest.size() >= 2 && rest.get(0).equals("--address-file") && addressFile == null) {
        addressFile = Path.of(rest.get(1));
      } else {
        throw new IllegalArgumentException(USAGE);
      }
    }
    return new Arguments(config, addressFile, adoptLog);
  }
}
