package io.sluice.config;

import io.netty.util.NetUtil;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses, such as {@code 10.0.0.0/8} or {@code fc00::/7}; a single address is a range
 * of one. All are 128 bits: IPv4 is stored as its IPv6-mapped address, so that an address matches
 * in either notation.
 *
 * @param text as configured
 * @param high the first 64 bits of the network
 * @param low the last 64 bits
 * @param bits the prefix length, of 128
 */
public record Cidr(String text, long high, long low, int bits) {
  private static final int WORD = 64;
  private static final int BITS_MAX = 128;

  /** The number of prefix bits before an IPv4 address. */
  private static final int MAPPED_BITS = 96;

  private static final long MAPPED = 0xffff_0000_0000L;
  private static final Pattern FORM = Pattern.compile("([0-9A-Fa-f:.]+)(?:/(0|[1-9]\\d{0,2}))?");

  /** 010 is octal to some parsers and decimal to others, so it is refused. */
  private static final Pattern LEADING_ZERO = Pattern.compile("(?:\\d*\\.)*0\\d+(?:\\..*)?");

  private static final int IPV6_BYTES = 16;
  private static final int NETWORK_BYTES = 8;
  private static final String IPV4_MAPPED = "::ffff:";

  /** The two halves of an address. */
  private record Address(long high, long low) {
    boolean isIpv4() {
      return high == 0 && (low & ~0xffff_ffffL) == MAPPED;
    }
  }

  /**
   * Parses a range.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static Cidr parse(String text) {
    Matcher form = FORM.matcher(text);
    Address address = form.matches() ? address(form.group(1)) : null;
    OptionalInt bits = address == null ? OptionalInt.empty() : bits(form);
    if (address == null || bits.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected a range like 10.0.0.0/8 or fc00::/7, but got " + text);
    }
    int kept = bits.getAsInt();
    return new Cidr(
        text, address.high() & mask(kept), address.low() & mask(Math.max(0, kept - WORD)), kept);
  }

  /** The prefix length of 128; empty if it is too long. */
  private static OptionalInt bits(Matcher form) {
    int before = form.group(1).contains(":") ? 0 : MAPPED_BITS;
    String length = form.group(2);
    int bits = length == null ? BITS_MAX : before + Integer.parseInt(length);
    return bits <= BITS_MAX ? OptionalInt.of(bits) : OptionalInt.empty();
  }

  /** A mask of the first bits of a word. */
  private static long mask(int bits) {
    return bits == 0 ? 0 : -1L << Math.max(0, WORD - bits);
  }

  /**
   * Whether a range contains this address.
   *
   * @param ip as a socket gives it, with or without its zone; null if it has none
   */
  public static boolean anyContains(List<Cidr> ranges, @Nullable String ip) {
    Address address = ip == null ? null : address(ip.replaceFirst("%.*", ""));
    return address != null && ranges.stream().anyMatch(range -> range.contains(address));
  }

  /**
   * The range of the callers in it as {@link #sourceOf} names them, of an IPv6 address the first 64
   * bits.
   */
  public Cidr ofSources() {
    return bits <= WORD || new Address(high, low).isIpv4() ? this : new Cidr(text, high, 0, WORD);
  }

  /** An IPv6 range, however wide, contains no IPv4 address. */
  private boolean contains(Address address) {
    return (bits >= MAPPED_BITS || !address.isIpv4())
        && (address.high() & mask(bits)) == high
        && (address.low() & mask(Math.max(0, bits - WORD))) == low;
  }

  /**
   * The address that counts as one caller: an IPv4 address, or the first 64 bits of an IPv6
   * address, since a caller has all addresses behind them; itself if it is none.
   */
  public static String sourceOf(String caller) {
    if (caller.indexOf(':') < 0) {
      return caller;
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(caller.replaceFirst("%.*", ""));
    if (bytes == null || bytes.length != IPV6_BYTES) {
      return bytes == null ? caller : NetUtil.bytesToIpAddress(bytes);
    }
    String mapped = caller.startsWith(IPV4_MAPPED) ? caller.substring(IPV4_MAPPED.length()) : "";
    if (NetUtil.isValidIpV4Address(mapped)) {
      return mapped;
    }
    for (int i = NETWORK_BYTES; i < IPV6_BYTES; i++) {
      bytes[i] = 0;
    }
    return NetUtil.bytesToIpAddress(bytes);
  }

  private static @Nullable Address address(String ip) {
    byte[] bytes =
        LEADING_ZERO.matcher(ip).matches() || ip.startsWith("[")
            ? null
            : NetUtil.createByteArrayFromIpAddressString(ip);
    if (bytes == null) {
      return null;
    }
    return bytes.length == 4
        ? new Address(0, MAPPED | word(bytes, 0, 4))
        : new Address(word(bytes, 0, 8), word(bytes, 8, 16));
  }

  private static long word(byte[] bytes, int from, int to) {
    long word = 0;
    for (int i = from; i < to; i++) {
      word = (word << 8) | (bytes[i] & 0xff);
    }
    return word;
  }

  @Override
  public String toString() {
    return text;
  }
}
