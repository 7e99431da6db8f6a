package io.sluice;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param config the configuration file, or null for the defaults and the environment
 * @param addressFile where to write the management port's address once it listens, or null
 * @param adoptLog where to read a new order log from that a ledger adopts whose own one is lost;
 *     null if it adopts none
 */
record Arguments(
    @Nullable Path config, @Nullable Path addressFile, @Nullable AdoptedFrom adoptLog) {
  private static final Map<String, AdoptedFrom> ADOPT_LOG =
      Map.of("--adopt-log", AdoptedFrom.END, "--adopt-log=begin", AdoptedFrom.BEGIN);
  private static final String USAGE =
      "usage: java -jar sluice.jar [--config FILE] [--address-file FILE] [--adopt-log[=begin]]";

  /** Fails with the usage if the arguments are wrong. */
  static Arguments of(String... words) {
    Path config = null;
    Path addressFile = null;
    List<String> named = new ArrayList<>(List.of(words));
    AdoptedFrom adoptLog = null;
    for (Map.Entry<String, AdoptedFrom> word : ADOPT_LOG.entrySet()) {
      if (adoptLog == null && named.remove(word.getKey())) {
        adoptLog = word.getValue();
      }
    }
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
