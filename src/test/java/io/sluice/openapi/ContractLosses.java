package io.sluice.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What an older contract has and a newer one has not: a call, an answer, a field, a word. Callers
 * of the older one may depend on it.
 */
final class ContractLosses {
  /** Their members are named by callers: paths and methods, answers, fields, schemas. */
  private static final Set<String> NAMED =
      Set.of("paths", "responses", "content", "properties", "schemas", "channels", "messages");

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");
  private static final String WORDS = "enum";
  private static final String WORD = "const";

  private final List<String> found = new ArrayList<>();

  private ContractLosses() {}

  /** Each by its path in the older contract; empty if nothing was lost. */
  static List<String> between(Map<String, Object> older, Map<String, Object> newer) {
    ContractLosses losses = new ContractLosses();
    losses.compare("", older, newer, false);
    return losses.found;
  }

  private void compare(String path, Object older, Object newer, boolean named) {
    if (older instanceof Map<?, ?> before) {
      Map<?, ?> now = newer instanceof Map<?, ?> map ? map : Map.of();
      before.forEach((key, value) -> compareMember(path, String.valueOf(key), value, now, named));
    } else if (older instanceof List<?> before && newer instanceof List<?> now) {
      for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
        compare(path + "[" + i + "]", before.get(i), now.get(i), false);
      }
    }
  }

  private void compareMember(
      String path, String key, Object older, Map<?, ?> now, boolean isNamed) {
    String member = path + "/" + key;
    Object name = now.containsKey(key) ? key : asStatus(key);
    Object newer = now.get(name);
    if (!now.containsKey(name)) {
      if (isNamed || METHODS.contains(key) || key.equals(WORD)) {
        found.add(member);
      }
      return;
    }
    if (!isNamed && key.equals(WORDS) && older instanceof List<?> words) {
      words.stream()
          .filter(word -> !(newer instanceof List<?> left && left.contains(word)))
          .forEach(word -> found.add(member + "/" + word));
    } else if (!isNamed && key.equals(WORD) && !Objects.equals(older, newer)) {
      found.add(member + "/" + older);
    } else {
      compare(member, older, newer, !isNamed && NAMED.contains(key));
    }
  }

  /** YAML reads an unquoted status as a number. */
  private static Object asStatus(String key) {
    return key.matches("\\d{3}") ? Integer.valueOf(key) : key;
  }
}
