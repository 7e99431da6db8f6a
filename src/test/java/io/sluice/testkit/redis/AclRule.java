package io.sluice.testkit.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ACL rule of docs/security.md, so that the tests use exactly what operators copy. */
public final class AclRule {
  private static final Path PAGE = Path.of("docs", "security.md");
  private static final Pattern RULE = Pattern.compile("(?m)^ACL SETUSER sluice (.+)$");
  private static final String PASSWORD = "PASSWORD";

  private AclRule() {}

  /** The rule for this password, behind {@code ACL SETUSER} and the user's name. */
  public static String of(String password) throws IOException {
    return documented().replace(PASSWORD, password);
  }

  /** The same with its placeholder for the password. */
  public static String documented() throws IOException {
    Matcher rule = RULE.matcher(Files.readString(PAGE));
    if (!rule.find()) {
      throw new AssertionError(PAGE + " has no line that begins with ACL SETUSER sluice");
    }
    return rule.group(1);
  }
}
