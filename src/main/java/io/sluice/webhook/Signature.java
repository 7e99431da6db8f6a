package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.ledger.Webhooks.Webhook;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs messages by Standard Webhooks 1.0.0, with HMAC-SHA256. */
public final class Signature {
  private static final String PREFIX = "whsec_";
  private static final int SECRET_BYTES_MIN = 24;
  private static final int SECRET_BYTES_MAX = 64;
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /** Whether this is a secret: {@code whsec_} and 24 to 64 bytes in base64. */
  public static boolean isSecret(String text) {
    if (!text.startsWith(PREFIX)) {
      return false;
    }
    try {
      int bytes = key(text).length;
      return bytes >= SECRET_BYTES_MIN && bytes <= SECRET_BYTES_MAX;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  private static byte[] key(String secret) {
    return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
  }

  /** The header webhook-signature: one signature, or two with a blank while the secret changes. */
  static String header(Webhook target, String id, long timestampS, String body) {
    String now = of(target.secret(), id, timestampS, body);
    return target.isRotating() ? now + " " + of(target.formerSecret(), id, timestampS, body) : now;
  }

  /** A signature with its version. */
  static String of(String secret, String id, long timestampS, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key(secret), ALGORITHM));
      byte[] signed = mac.doFinal((id + "." + timestampS + "." + body).getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException missing) {
      throw new LinkageError("Expected HMAC-SHA256, which every JDK has", missing);
    }
  }
}
