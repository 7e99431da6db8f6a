package io.sluice.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of this machine for itself: 127.0.0.0/8, ::1 and localhost. */
public final class Loopback {
  private static final List<Cidr> ADDRESSES = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1"));
  private static final String NAME = "localhost";

  /** A host with or without a port, as in the Host header; an address has no zone there. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9A-Za-z.-]+))(?::\\d{1,5})?");

  private static final Pattern ORIGIN = Pattern.compile("https?://(.+)");

  private Loopback() {}

  /** Whether this address of a socket is a loopback address; false for null. */
  public static boolean isAddress(@Nullable String ip) {
    return Cidr.anyContains(ADDRESSES, ip);
  }

  /** Whether a port on this host can be reached from this machine only. */
  public static boolean isHost(String host) {
    return NAME.equalsIgnoreCase(host) || isAddress(host);
  }

  /** Whether a Host header names this machine. */
  public static boolean isAuthority(String authority) {
    Matcher parts = AUTHORITY.matcher(authority);
    return parts.matches() && isHost(parts.group(1) == null ? parts.group(2) : parts.group(1));
  }

  /** Whether an Origin header names a page of this machine. */
  public static boolean isOrigin(String origin) {
    Matcher parts = ORIGIN.matcher(origin);
    return parts.matches() && isAuthority(parts.group(1));
  }
}
