package io.sluice.config;

/** The formats of text values, as regular expressions. */
final class Patterns {
  /** A colon and a port from 1 to 65535. */
  private static final String PORT =
      ":(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

  private static final String NAME = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?";
  private static final String SERVER = "(?:" + NAME + "|\\[[0-9A-Fa-f:.]+])";
  private static final String URI_CHARACTERS = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
  private static final String PASSWORD = "(?::" + "(?:" + URI_CHARACTERS + "|:)*)?";
  private static final String QUERY = "(?:\\?(?:" + URI_CHARACTERS + "|[:@/?])*)?";

  /** An address or host name to listen on. */
  static final String HOST = NAME + "|::|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+";

  static final String REDIS_URI =
      "rediss?://(?:"
          + URI_CHARACTERS
          + "*"
          + PASSWORD
          + "@)?"
          + SERVER
          + "(?:"
          + PORT
          + ")?(?:/\\d{0,5})?"
          + QUERY;

  static final String MYSQL_URI =
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

  static final String SERVERS = SERVER + PORT + "(?:," + SERVER + PORT + ")*";

  /** Kafka's rule for topics, without the two names that are directories. */
  static final String TOPIC = "(?!\\.\\.?$)[A-Za-z0-9._-]{1,249}";

  static final String HEADER = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}";

  /** The characters of a bearer token; empty for none. */
  static final String BEARER = "[A-Za-z0-9._~+/=-]{0,512}";

  static final String ANY = "(?s).*";

  private Patterns() {}
}
