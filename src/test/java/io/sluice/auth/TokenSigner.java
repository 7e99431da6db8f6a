package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An issuer of tokens, with a key of its own; made of the JDK alone, so that it shares no mistake
 * with what verifies them.
 */
public record TokenSigner(String algorithm, String jdkAlgorithm, Key key, PublicKey publicKey) {
  public static TokenSigner rsa(int bits) {
    return generated("RS256", "SHA256withRSA", "RSA", bits, null);
  }

  public static TokenSigner ec() {
    return ec("secp256r1");
  }

  static TokenSigner ec(String curve) {
    return generated("ES256", "SHA256withECDSAinP1363Format", "EC", 0, curve);
  }

  public static TokenSigner hmac(byte[] secret) {
    return new TokenSigner("HS256", "HmacSHA256", new SecretKeySpec(secret, "HmacSHA256"), null);
  }

  /** The same key, whose signatures are in the form of X.509. */
  TokenSigner withDerSignatures() {
    return new TokenSigner(algorithm, "SHA256withECDSA", key, publicKey);
  }

  private static TokenSigner generated(
      String algorithm, String jdkAlgorithm, String type, int bits, String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
      if (curve == null) {
        generator.initialize(bits);
      } else {
        generator.initialize(new ECGenParameterSpec(curve));
      }
      KeyPair pair = generator.generateKeyPair();
      return new TokenSigner(algorithm, jdkAlgorithm, pair.getPrivate(), pair.getPublic());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A token with a plain header. */
  public String token(JsonObject claims) {
    return token("{\"alg\":\"" + algorithm + "\"}", claims.encode());
  }

  /** A token whose header names the key. */
  public String token(String keyId, JsonObject claims) {
    return token(
        new JsonObject().put("alg", algorithm).put("kid", keyId).encode(), claims.encode());
  }

  /** A token of these texts. */
  public String token(String header, String payload) {
    String signed = base64(header.getBytes(UTF_8)) + "." + base64(payload.getBytes(UTF_8));
    return signed + "." + base64(signature(signed.getBytes(UTF_8)));
  }

  private byte[] signature(byte[] signed) {
    try {
      if (key instanceof PrivateKey signing) {
        Signature signature = Signature.getInstance(jdkAlgorithm);
        signature.initSign(signing);
        signature.update(signed);
        return signature.sign();
      }
      Mac mac = Mac.getInstance(jdkAlgorithm);
      mac.init(key);
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The public key in PEM. */
  public String pem() {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(publicKey.getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  /** The public key as a member of a key set. */
  public JsonObject jwk(String keyId) {
    JsonObject jwk = new JsonObject().put("kid", keyId);
    if (publicKey instanceof RSAPublicKey rsa) {
      return jwk.put("kty", "RSA")
          .put("n", base64(rsa.getModulus(), 0))
          .put("e", base64(rsa.getPublicExponent(), 0));
    }
    ECPublicKey ec = (ECPublicKey) publicKey;
    int size = (ec.getParams().getCurve().getField().getFieldSize() + 7) / 8;
    return jwk.put("kty", "EC")
        .put("crv", "P-" + ec.getParams().getCurve().getField().getFieldSize())
        .put("x", base64(ec.getW().getAffineX(), size))
        .put("y", base64(ec.getW().getAffineY(), size));
  }

  /** A key set. */
  public static String jwks(JsonObject... keys) {
    return new JsonObject()
        .put("keys", new io.vertx.core.json.JsonArray(java.util.List.of(keys)))
        .encode();
  }

  private static String base64(BigInteger number, int size) {
    byte[] signed = number.toByteArray();
    int skip = signed.length > 1 && signed[0] == 0 ? 1 : 0;
    int length = Math.max(size, signed.length - skip);
    byte[] padded = new byte[length];
    System.arraycopy(signed, skip, padded, length - signed.length + skip, signed.length - skip);
    return base64(padded);
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
