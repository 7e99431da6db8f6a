package io.sluice.jwt;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys that are in force together: one without a name, or several by their {@code kid}. */
final class KeySet {
  private final @Nullable VerificationKey only;
  private final Map<String, VerificationKey> byId;
  private final Set<String> algorithms;

  private KeySet(@Nullable VerificationKey only, Map<String, VerificationKey> byId) {
    this.only = only;
    this.byId = byId;
    this.algorithms =
        only != null
            ? Set.of(only.algorithm())
            : byId.values().stream()
                .map(VerificationKey::algorithm)
                .collect(Collectors.toUnmodifiableSet());
  }

  static KeySet of(VerificationKey only) {
    return new KeySet(only, Map.of());
  }

  static KeySet of(Map<String, VerificationKey> byId) {
    return new KeySet(null, Map.copyOf(byId));
  }

  int size() {
    return only == null ? byId.size() : 1;
  }

  /**
   * The key of a token. Its algorithm is looked at first, so that {@code none} never names a key.
   */
  VerificationKey keyOf(JoseHeader header) throws InvalidJwtException {
    if (!algorithms.contains(header.algorithm())) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    VerificationKey key = only != null ? only : named(header.keyId());
    if (!key.algorithm().equals(header.algorithm())) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    return key;
  }

  private VerificationKey named(@Nullable String keyId) throws InvalidJwtException {
    VerificationKey key = keyId == null ? null : byId.get(keyId);
    if (key == null) {
      throw new InvalidJwtException(JwtFault.UNKNOWN_KEY);
    }
    return key;
  }
}
