package io.sluice.config;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.util.Arrays;
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
 * @param address in the range
 * @param bits the prefix length, of 128
 */
public record Cidr(String text, BigInteger address, int bits) {
  private static final int BITS_MAX = 128;

  /** Of the network part of an IPv6 address. */
  private static final int NETWORK_BITS = 64;

  /** The number of prefix bits before an IPv4 address. */
  private static final int MAPPED_BITS = 96;

  private static final int IPV4_BITS = 32;
  private static final BigInteger MAPPED = BigInteger.valueOf(0xffff);
  private static final Pattern FORM = Pattern.compile("([0-9A-Fa-f:.]+)(?:/(0|[1-9]\\d{0,2}))?");

  /** 010 is octal to some parsers and decimal to others, so it is refused. */
  private static final Pattern LEADING_ZERO = Pattern.compile("(?:\\d*\\.)*0\\d+(?:\\..*)?");

  private static final int IPV6_BYTES = 16;
  private static final int NETWORK_BYTES = 8;
  private static final String IPV4_MAPPED = "::ffff:";

  /**
   * Parses a range.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static Cidr parse(String text) {
    Matcher form = FORM.matcher(text);
    BigInteger address = form.matches() ? address(form.group(1)) : null;
    OptionalInt bits = address == null ? OptionalInt.empty() : bits(form);
    if (address == null || bits.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected a range like 10.0.0.0/8 or fc00::/7, but got " + text);
    }
    return new Cidr(text, address, bits.getAsInt());
  }

  /** The prefix length of 128; empty if it is too long. */
  private static OptionalInt bits(Matcher form) {
    int before = form.group(1).contains(":") ? 0 : MAPPED_BITS;
    String length = form.group(2);
    int bits = length == null ? BITS_MAX : before + Integer.parseInt(length);
    return bits <= BITS_MAX ? OptionalInt.of(bits) : OptionalInt.empty();
  }

  /**
   * Whether a range contains this address.
   *
   * @param ip as a socket gives it, with or without its zone; null if it has none
   */
  public static boolean anyContains(List<Cidr> ranges, @Nullable String ip) {
    BigInteger address = ip == null ? null : address(ip.replaceFirst("%.*", ""));
    return address != null && ranges.stream().anyMatch(range -> range.contains(address));
  }

  /**
   * The range of the callers in it as {@link #sourceOf} names them, of an IPv6 address the first 64
   * bits.
   */
  public Cidr ofSources() {
    return bits <= NETWORK_BITS || isIpv4(address) ? this : new Cidr(text, address, NETWORK_BITS);
  }

  /** An IPv6 range, however wide, contains no IPv4 address. */
  private boolean contains(BigInteger other) {
    return (bits >= MAPPED_BITS || !isIpv4(other))
        && address.xor(other).bitLength() <= BITS_MAX - bits;
  }

  private static boolean isIpv4(BigInteger address) {
    return address.shiftRight(IPV4_BITS).equals(MAPPED);
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
    Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
    return NetUtil.bytesToIpAddress(bytes);
  }

  private static @Nullable BigInteger address(String ip) {
    byte[] bytes =
        LEADING_ZERO.matcher(ip).matches() || ip.startsWith("[")
            ? null
            : NetUtil.createByteArrayFromIpAddressString(ip);
    if (bytes == null) {
      return null;
    }
    BigInteger address = new BigInteger(1, bytes);
    return bytes.length == IPV6_BYTES ? address : MAPPED.shiftLeft(IPV4_BITS).or(address);
  }

  @Override
  public String toString() {
    return text;
  }
}
