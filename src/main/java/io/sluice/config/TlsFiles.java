package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;

/**
 * The certificate of a port that speaks TLS.
 *
 * @param certFile a PEM file with the certificate and those that sign it; empty: no TLS
 * @param keyFile a PEM file with the private key; empty: no TLS
 */
public record TlsFiles(
    @Key(expected = "a path of a PEM file") String certFile,
    @Key(expected = "a path of a PEM file") String keyFile) {
  /** A port without TLS. */
  public static final TlsFiles NONE = new TlsFiles("", "");

  /** The keys of one port's files. */
  public record Keys(String certFile, String keyFile) {
    /** Those of this section. */
    public static Keys of(String section) {
      return new Keys(section + ".tls.cert_file", section + ".tls.key_file");
    }
  }

  /** Both or neither: with one of them the port would silently have no TLS. */
  void check(String section) {
    Keys keys = Keys.of(section);
    requireBoth(keys.certFile(), certFile, keys.keyFile(), keyFile);
    requireBoth(keys.keyFile(), keyFile, keys.certFile(), certFile);
  }

  private static void requireBoth(String key, String file, String otherKey, String other) {
    require(
        !file.isEmpty() || other.isEmpty(), key, "must be set if " + otherKey + " is, was empty");
  }

  public boolean isOn() {
    return !certFile.isEmpty();
  }
}
