package io.sluice.sale.hostile;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer as it came over a socket.
 *
 * @param status 0 where it does not begin as an answer
 * @param body empty for HEAD
 */
record RawAnswer(int status, String head, String body) {
  private static final Pattern BEGIN = Pattern.compile("(?=HTTP/1\\.[01] \\d{3} )");
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
  private static final String HEAD_END = "\r\n\r\n";

  /** All answers of a connection, in order. */
  static List<RawAnswer> allIn(String received) {
    return BEGIN.splitAsStream(received).map(RawAnswer::of).toList();
  }

  private static RawAnswer of(String text) {
    Matcher status = STATUS.matcher(text);
    int end = text.indexOf(HEAD_END);
    return new RawAnswer(
        status.lookingAt() ? Integer.parseInt(status.group(1)) : 0,
        end < 0 ? text : text.substring(0, end),
        end < 0 ? "" : text.substring(end + HEAD_END.length()));
  }

  /** Empty where there is no such header. */
  String header(String name) {
    return head.lines()
        .skip(1)
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  boolean isRefusal() {
    return status >= 400;
  }
}
