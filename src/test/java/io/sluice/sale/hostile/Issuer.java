package io.sluice.sale.hostile;

import io.sluice.auth.TokenSigner;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Signs the tokens and tickets of honest callers, with the keys that the instances know. */
final class Issuer {
  static final String SERVICE_TOKEN = "the-back-office-of-this-shop";
  static final String OPERATOR_TOKEN = "an-operator-of-this-shop";
  static final String READER_TOKEN = "a-reader-of-this-shop";
  static final String NAME = "https://issuer.example";
  static final String AUDIENCE = "sluice";
  static final String EC = "ec";
  static final String RSA = "rsa";

  /** Longer than any test. */
  private static final int VALID_S = 86_400;

  private final TokenSigner ec = TokenSigner.ec();
  private final TokenSigner rsa = TokenSigner.rsa(2048);

  TokenSigner ec() {
    return ec;
  }

  TokenSigner rsa() {
    return rsa;
  }

  /** The public keys as a file. */
  Path publish() {
    try {
      Path file = Files.createTempFile("keys", ".json");
      return Files.writeString(file, TokenSigner.jwks(ec.jwk(EC), rsa.jwk(RSA)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of an instance whose callers carry tokens. */
  static Map<String, String> settings() {
    return Map.of(
        "SLUICE_AUTH_MODE",
        "jwt",
        "SLUICE_AUTH_AUDIENCE",
        AUDIENCE,
        "SLUICE_AUTH_SERVICE_TOKEN",
        SERVICE_TOKEN,
        "SLUICE_ADMIN_TOKENS",
        "alice:operator:" + OPERATOR_TOKEN + ";grafana:reader:" + READER_TOKEN);
  }

  /** The claims of a buyer's token. */
  static JsonObject claims(String buyer) {
    return claims(buyer, AUDIENCE);
  }

  /** The claims of a buyer's ticket to a SKU. */
  static JsonObject claims(String buyer, long skuId) {
    return claims(buyer, "sku:" + skuId);
  }

  private static JsonObject claims(String buyer, String audience) {
    return new JsonObject()
        .put("sub", buyer)
        .put("iss", NAME)
        .put("aud", audience)
        .put("exp", System.currentTimeMillis() / 1000 + VALID_S);
  }

  /** A token or ticket that is good. */
  String sign(JsonObject claims) {
    return ec.token(EC, claims);
  }
}
