package io.sluice.webhook;

import io.sluice.config.Cidr;
import io.sluice.config.Config;
import io.sluice.config.Loopback;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be sent to. Operators name the targets, but a name is resolved by others: it
 * must not lead to what only this machine, or its network, can reach.
 *
 * @param allowsPrivate whether loopback and private addresses may be sent to
 */
public record AddressGuard(boolean allowsPrivate) {
  /** No host: this network, link-local with the metadata of clouds, multicast, reserved. */
  private static final List<Cidr> NEVER =
      ranges(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          "::/128",
          "fe80::/10",
          "ff00::/8",
          "2001:db8::/32");

  /** Loopback, private networks, and addresses that another address is in. */
  private static final List<Cidr> PRIVATE =
      ranges(
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "::/96",
          "64:ff9b::/96",
          "64:ff9b:1::/48",
          "2001::/32",
          "2002::/16",
          "fc00::/7",
          "fec0::/10");

  private static List<Cidr> ranges(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }

  /** As it is configured; if that leaves it open: private ones if nobody else reaches a port. */
  public static AddressGuard of(Config config) {
    return new AddressGuard(
        switch (config.webhooks().allowPrivate()) {
          case "yes" -> true;
          case "no" -> false;
          default ->
              Loopback.isHost(config.http().host()) && Loopback.isHost(config.admin().host());
        });
  }

  /** Whether this address, as a resolver gives it, may be sent to. */
  public boolean admits(String ip) {
    return !Cidr.anyContains(NEVER, ip) && (allowsPrivate || !Cidr.anyContains(PRIVATE, ip));
  }
}
