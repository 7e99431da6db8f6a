package io.sluice.admin.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The style of the page, and the policy that allows it and nothing else. */
final class PageStyle {
  static final String TEXT = text();

  /** In the page as well, for the copies that people keep. */
  static final String KEPT_POLICY =
      "default-src 'none'; style-src 'sha256-"
          + hash(TEXT)
          + "'; base-uri 'none'; form-action 'none'";

  static final String POLICY = KEPT_POLICY + "; frame-ancestors 'none'";

  private PageStyle() {}

  private static String text() {
    try (InputStream file = PageStyle.class.getResourceAsStream("/report/report.css")) {
      if (file == null) {
        throw new IllegalStateException("Expected /report/report.css, but it is not there");
      }
      return new String(file.readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
