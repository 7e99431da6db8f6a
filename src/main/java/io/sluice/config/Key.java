package io.sluice.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A key, at the component of its section, which give it its name: {@code queueMax} in {@code http}
 * is {@code http.queue_max}. The type of its value is the component's.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@interface Key {
  /** How much of a value may be shown. */
  enum Shown {
    /** All of it. */
    PLAIN,
    /** Everything except the password, and nothing if it cannot be parsed. */
    URI,
    /** Nothing. */
    SECRET
  }

  /** The default, as in the environment. */
  String value() default "";

  /** Of a number. */
  int min() default 0;

  /** Of a number. */
  int max() default Integer.MAX_VALUE;

  /** The pattern of a whole text. */
  String form() default Patterns.ANY;

  /** Continues the sentence "must be" for a text. */
  String expected() default "text";

  Shown shown() default Shown.PLAIN;

  /** Whether it is a path of a PEM file with certificates, which is read at the start. */
  boolean certificates() default false;

  /** The forms that texts of the configuration may have, as regular expressions. */
  static final class Patterns {
    /** A colon and a port from 1 to 65535. */
    private static final String PORT =
        ":(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

    private static final String NAME = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?";
    private static final String SERVER = "(?:" + NAME + "|\\[[0-9A-Fa-f:.]+])";
    private static final String URI_CHARACTERS = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
    private static final String PASSWORD = "(?::" + "(?:" + URI_CHARACTERS + "|:)*)?";
    private static final String QUERY = "(?:\\?(?:" + URI_CHARACTERS + "|[:@/?])*)?";

    /** An address or host name to listen on. */
    public static final String HOST = NAME + "|::|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+";

    /** What {@link #HOST} is, for people. */
    public static final String HOST_EXPECTED = "an address or a host name";

    /** {@code redis://} or {@code rediss://}; Valkey's tools write {@code valkey(s)://}. */
    public static final String REDIS_URI =
        "(?:redis|valkey)s?://(?:"
            + URI_CHARACTERS
            + "*"
            + PASSWORD
            + "@)?"
            + SERVER
            + "(?:"
            + PORT
            + ")?(?:/\\d{0,5})?"
            + QUERY;

    /** {@code mysql://} or {@code mariadb://}. */
    public static final String MYSQL_URI =
        "(?:mysql|mariadb)://"
            + URI_CHARACTERS
            + "+"
            + PASSWORD
            + "@"
            + SERVER
            + "(?:"
            + PORT
            + ")?/"
            + URI_CHARACTERS
            + "+"
            + QUERY;

    /** Host and port of one server or more. */
    public static final String SERVERS = SERVER + PORT + "(?:," + SERVER + PORT + ")*";

    /** Kafka's rule for topics, without the two names that are directories. */
    public static final String TOPIC = "(?!\\.\\.?$)[A-Za-z0-9._-]{1,249}";

    /** The name of an HTTP header (RFC 9110, section 5.1). */
    public static final String HEADER = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}";

    /** The characters of a bearer token, long enough not to be guessed. */
    private static final String BEARER = "[A-Za-z0-9._~+/=-]{16,512}";

    /** One token, or two that are both valid during a rotation. */
    public static final String BEARER_TOKENS = BEARER + "(?:, *" + BEARER + ")?";

    /** The same, or nothing. */
    public static final String BEARER_OR_NONE = "(?:" + BEARER_TOKENS + ")?";

    /** What {@link #BEARER_TOKENS} is, for people. */
    public static final String BEARER_TOKENS_EXPECTED =
        "what a bearer token may hold, 16 to 512 characters, or two of them with a comma";

    /** What {@link #BEARER_OR_NONE} is, for people. */
    public static final String BEARER_OR_NONE_EXPECTED = "empty or " + BEARER_TOKENS_EXPECTED;

    /** Any text. */
    public static final String ANY = "(?s).*";

    private static final Pattern COMMA = Pattern.compile(", *");

    private Patterns() {}

    /** The tokens of a valid text; none if it is empty. */
    public static List<String> bearerTokens(String text) {
      return text.isEmpty() ? List.of() : COMMA.splitAsStream(text).toList();
    }
  }
}
