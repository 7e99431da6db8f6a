package io.sluice.sale.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.auth.TokenSigner;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Tokens and tickets of which none is good, made from claims that are. Those that must be signed
 * are signed once, when this is made; others are new in each draw.
 */
final class ForgedTokens {
  private static final int SIGNATURE_BYTES = 64;
  private static final int NEARLY_TOO_LONG = 7_000;
  private static final String BASE64URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private final String good;
  private final List<String> signed = new ArrayList<>();
  private final Dice random;

  /**
   * @param claims of a token that would be good
   */
  ForgedTokens(Issuer issuer, JsonObject claims, Dice random) {
    this.good = issuer.sign(claims);
    this.random = random;
    withOtherHeaders(issuer, claims);
    withOtherClaims(issuer, claims);
    withOtherSignatures(issuer, claims);
  }

  String any() {
    return switch (random.nextInt(8)) {
      case 0 -> changed();
      case 1 -> good.substring(0, random.nextInt(good.length() - 1));
      case 2 -> ".".repeat(random.nextInt(4_000));
      case 3 -> text(1 + random.nextInt(NEARLY_TOO_LONG));
      case 4 -> text(20) + "." + text(random.nextInt(200)) + "." + text(86);
      default -> signed.get(random.nextInt(signed.size()));
    };
  }

  /** The good one with one character changed; the last one has bits that do not count. */
  private String changed() {
    int at = random.nextInt(good.length() - 1);
    char other = BASE64URL.charAt(random.nextInt(BASE64URL.length()));
    return good.charAt(at) == other
        ? good.substring(0, at) + "!" + good.substring(at + 1)
        : good.substring(0, at) + other + good.substring(at + 1);
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(BASE64URL.charAt(random.nextInt(BASE64URL.length())));
    }
    return text.toString();
  }

  private void withOtherHeaders(Issuer issuer, JsonObject claims) {
    String payload = claims.encode();
    Stream.of("none", "None", "nOnE", "", "HS256", "HS512", "ES384", "PS256", "EdDSA")
        .map(algorithm -> new JsonObject().put("alg", algorithm).put("kid", Issuer.EC))
        .forEach(
            header -> {
              signed.add(issuer.ec().token(header.encode(), payload));
              signed.add(base64(header.encode()) + "." + base64(payload) + ".");
            });
    Stream.of(
            "\"crit\":[\"exp\"]",
            "\"b64\":false",
            "\"jwk\":" + TokenSigner.ec().jwk(Issuer.EC).encode(),
            "\"jku\":\"http://127.0.0.1:1/keys.json\"",
            "\"x5u\":\"file:///etc/passwd\"",
            "\"x5c\":[\"AAAA\"]",
            "\"zip\":\"DEF\"",
            "\"enc\":\"A128GCM\"",
            "\"cty\":\"JWT\"",
            "\"alg\":\"ES256\"",
            "\"kid\":\"rsa\"")
        .map(more -> "{\"alg\":\"ES256\",\"kid\":\"ec\"," + more + "}")
        .forEach(header -> signed.add(issuer.ec().token(header, payload)));
    Stream.of("", "ec ", "EC", "../../../../dev/null", "' or '1'='1", "k".repeat(3_000))
        .forEach(keyId -> signed.add(issuer.ec().token(keyId, claims)));
    signed.add(issuer.ec().token(claims));
    signed.add(issuer.ec().token("[\"ES256\"]", payload));
    signed.add(issuer.ec().token("{\"alg\":[\"ES256\"],\"kid\":{\"ec\":1}}", payload));
  }

  private void withOtherClaims(Issuer issuer, JsonObject claims) {
    List<UnaryOperator<JsonObject>> changes = new ArrayList<>();
    Stream.of("exp", "iss", "aud", "sub")
        .forEach(
            name -> {
              changes.add(all -> without(all, name));
              Stream.of("", "an other", new JsonArray(), new JsonArray().add(1), true)
                  .forEach(value -> changes.add(all -> all.put(name, value)));
              changes.add(all -> all.putNull(name));
              changes.add(all -> all.put(name, new JsonObject().put(name, all.getValue(name))));
            });
    Stream.of(1, -1, 1e300, Long.MAX_VALUE)
        .forEach(moment -> changes.add(all -> all.put("exp", moment)));
    changes.add(all -> all.put("exp", String.valueOf(all.getLong("exp"))));
    changes.add(all -> all.put("nbf", all.getLong("exp")));
    changes.add(all -> all.put("nbf", "now"));
    Stream.of("a b", "\u00e9", "\u0000", "x".repeat(65))
        .forEach(user -> changes.add(all -> all.put("sub", user)));
    changes.forEach(change -> signed.add(issuer.sign(change.apply(claims.copy()))));
    String payload = claims.encode();
    Stream.of(
            "",
            "null",
            "[" + payload + "]",
            payload + payload,
            payload.substring(1),
            "{\"sub\":\"mallory\"," + payload.substring(1),
            "{\"exp\":1e400," + payload.substring(1),
            // Encoded as text it would be a question mark, which is a good name.
            "{\"sub\":\"\\ud800\"," + without(claims.copy(), "sub").encode().substring(1),
            "{\"a\":" + "[".repeat(1_000) + "," + payload.substring(1),
            "\ufeff" + payload)
        .forEach(text -> signed.add(issuer.rsa().token(header("RS256", Issuer.RSA), text)));
  }

  private void withOtherSignatures(Issuer issuer, JsonObject claims) {
    String payload = claims.encode();
    String plain = good.substring(0, good.lastIndexOf('.') + 1);
    signed.add(TokenSigner.ec().token(Issuer.EC, claims));
    signed.add(TokenSigner.rsa(2048).token(Issuer.RSA, claims));
    signed.add(issuer.rsa().token(Issuer.EC, claims));
    signed.add(issuer.rsa().token(header("ES256", Issuer.EC), payload));
    signed.add(issuer.ec().token(header("RS256", Issuer.RSA), payload));
    Stream.of(issuer.rsa().pem(), issuer.rsa().jwk(Issuer.RSA).encode(), Issuer.RSA)
        .map(secret -> TokenSigner.hmac(secret.getBytes(UTF_8)))
        .forEach(signer -> signed.add(signer.token(Issuer.RSA, claims)));
    // Zeros are a signature of anything to a verifier that does not check their range.
    signed.add(plain + base64(new byte[SIGNATURE_BYTES]));
    signed.add(plain + base64(new byte[0]));
    signed.add(plain + base64(new byte[1_000]));
    signed.add(good + "=");
    signed.add(good + ".");
    signed.add(good + ".a.b");
    signed.add(good.replace('.', ','));
    signed.add(good + "," + good);
    signed.add("\"" + good + "\"");
    signed.add(good.substring(0, good.lastIndexOf('.')));
    signed.add(good + "\u0001");
    signed.add(binary());
  }

  private static String binary() {
    byte[] all = new byte[200];
    for (int i = 0; i < all.length; i++) {
      // Without control characters, which are no part of a header.
      all[i] = (byte) (0x21 + i % 0xde);
    }
    return new String(all, ISO_8859_1);
  }

  private static JsonObject without(JsonObject claims, String name) {
    claims.remove(name);
    return claims;
  }

  private static String header(String algorithm, String keyId) {
    return new JsonObject().put("alg", algorithm).put("kid", keyId).encode();
  }

  private static String base64(String text) {
    return base64(text.getBytes(UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
