package io.sluice.web;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/**
 * Recognizes a complete request of one call by its bytes, without the objects that a decoder makes
 * of it. Says no wherever it is not certain: every other form of a request is for the decoder.
 */
final class PlainRequest {
  /** Bytes that are not {@link #lengthOf one of these requests}. */
  static final int OTHER = -1;

  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");

  /** Headers that decide how a request is read or answered; all have more letters than "Host". */
  private static final AsciiString[] DECIDING = {
    AsciiString.cached("connection"),
    AsciiString.cached("transfer-encoding"),
    AsciiString.cached("expect"),
    AsciiString.cached("upgrade")
  };

  private static final int HEAD_BYTES_MAX = 8 * 1024;
  private static final int LENGTH_DIGITS_MAX = 6;

  private final ByteBuf requestLine;

  /**
   * @param path of a POST
   */
  PlainRequest(String path) {
    requestLine =
        Unpooled.wrappedBuffer(
            ("POST " + path + " HTTP/1.1\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** The number of bytes of the request that these bytes begin with, or {@link #OTHER}. */
  int lengthOf(ByteBuf in) {
    int start = in.readerIndex();
    int end = Math.min(in.writerIndex(), start + HEAD_BYTES_MAX);
    if (!beginsWithLine(in)) {
      return OTHER;
    }
    int body = 0;
    boolean hasLength = false;
    int line = start + requestLine.readableBytes();
    while (line + 1 < end && in.getByte(line) != '\r') {
      int colon = nameEnd(in, line, end);
      int lineEnd = colon == OTHER ? OTHER : valueEnd(in, colon + 1, end);
      if (lineEnd == OTHER || isDeciding(in, line, colon)) {
        return OTHER;
      }
      if (matches(in, line, colon, CONTENT_LENGTH)) {
        body = hasLength ? OTHER : number(in, colon + 1, lineEnd);
        hasLength = true;
        if (body == OTHER) {
          return OTHER;
        }
      }
      line = lineEnd + 2;
    }
    boolean complete = line + 1 < end && in.getByte(line + 1) == '\n';
    int length = line + 2 + body - start;
    return complete && length <= in.readableBytes() ? length : OTHER;
  }

  /** Whether these bytes begin with the line of such a request; eight are compared at once. */
  boolean beginsWithLine(ByteBuf in) {
    int length = requestLine.readableBytes();
    return in.readableBytes() >= length
        && ByteBufUtil.equals(requestLine, 0, in, in.readerIndex(), length);
  }

  /** Where the colon behind a name of letters, digits, - and _ is. */
  private static int nameEnd(ByteBuf in, int from, int end) {
    for (int i = from; i < end; i++) {
      byte c = in.getByte(i);
      if (c == ':' && i > from) {
        return i;
      }
      boolean inName =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
      if (!inName) {
        return OTHER;
      }
    }
    return OTHER;
  }

  /** Where the line end behind a value of visible ASCII and spaces is. */
  private static int valueEnd(ByteBuf in, int from, int end) {
    for (int i = from; i + 1 < end; i++) {
      byte c = in.getByte(i);
      if (c == '\r') {
        return in.getByte(i + 1) == '\n' ? i : OTHER;
      }
      if (c < ' ' || c > '~') {
        return OTHER;
      }
    }
    return OTHER;
  }

  private static boolean isDeciding(ByteBuf in, int from, int to) {
    for (AsciiString name : DECIDING) {
      if (matches(in, from, to, name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(ByteBuf in, int from, int to, AsciiString name) {
    if (to - from != name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      // Names have letters and hyphens only; this bit is what small letters differ in.
      if ((in.getByte(from + i) | 0x20) != name.byteAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int number(ByteBuf in, int from, int to) {
    int i = from;
    while (i < to && in.getByte(i) == ' ') {
      i++;
    }
    if (i == to || to - i > LENGTH_DIGITS_MAX) {
      return OTHER;
    }
    int number = 0;
    for (; i < to; i++) {
      byte c = in.getByte(i);
      if (c < '0' || c > '9') {
        return OTHER;
      }
      number = number * 10 + c - '0';
    }
    return number;
  }
}
