package io.sluice.sale.hostile;

import static io.sluice.sale.hostile.HostileRequest.JSON;
import static io.sluice.sale.hostile.HostileRequest.LOCAL;

import io.sluice.sale.hostile.Victim.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Calls whose token or ticket is not good; all else about them is. */
final class TokenCalls {
  private static final String AUTHORIZATION = "Authorization: Bearer ";
  private static final String TICKET = "Sluice-Ticket: ";
  private static final int BINARY_FROM = 0x80;

  private final List<Target> targets;
  private final long ticketedSkuId;
  private final List<Ask> asks;
  private final Dice random;
  private final ForgedTokens tokens;
  private final ForgedTokens tickets;
  private final String alice;
  private final String eve;
  private final String ticket;
  private final String anothersTicket;
  private final String otherTicket;

  /**
   * @param ticketedSkuId a SKU that is sold to who has a ticket only
   */
  TokenCalls(List<Target> targets, Issuer issuer, Victim victim, long ticketedSkuId, Dice random) {
    this.targets = targets;
    this.ticketedSkuId = ticketedSkuId;
    this.random = random;
    this.asks = new ArrayList<>(victim.asks());
    asks.add(new Ask(false, "POST", "/v1/orders", order(victim.skuId())));
    this.tokens = new ForgedTokens(issuer, Issuer.claims("alice"), random);
    this.tickets = new ForgedTokens(issuer, Issuer.claims(Target.EVE, ticketedSkuId), random);
    this.alice = issuer.sign(Issuer.claims("alice"));
    this.eve = issuer.sign(Issuer.claims(Target.EVE));
    this.ticket = issuer.sign(Issuer.claims(Target.EVE, ticketedSkuId));
    this.anothersTicket = issuer.sign(Issuer.claims("amy", ticketedSkuId));
    this.otherTicket = issuer.sign(Issuer.claims(Target.EVE, victim.skuId()));
  }

  HostileRequest next() {
    return random.nextInt(3) == 0 ? ticketed() : identified();
  }

  private HostileRequest identified() {
    Target target = random.any(targets);
    Ask ask = random.any(asks);
    String headers = LOCAL + ask.headers() + (target.hasTokens() ? borne(ask) : forged());
    String request = target.hasTokens() && random.nextInt(20) == 0 ? "?access_token=" + alice : "";
    return new HostileRequest(
        ask.atDesk() ? target.adminPort() : target.publicPort(),
        HostileRequest.bytes(ask.method(), ask.target() + request, headers, ask.body()),
        Due.STRANGER);
  }

  /** What an instance with tokens refuses, because it looks at one header, and there only once. */
  private String borne(Ask ask) {
    List<Supplier<String>> kinds =
        List.of(
            this::forged,
            this::forged,
            this::forged,
            () -> AUTHORIZATION + token() + "\r\n" + AUTHORIZATION + token() + "\r\n",
            () -> AUTHORIZATION + misplaced(ask) + "\r\n",
            () -> AUTHORIZATION + "Bearer " + token() + "\r\n",
            () -> "X-Authorization: Bearer " + token() + "\r\n",
            () -> "Proxy-Authorization: Bearer " + token() + "\r\n",
            () -> "Cookie: access_token=" + token() + "\r\n",
            () -> "X-User-Id: alice\r\n",
            () -> TICKET + token() + "\r\n");
    return random.any(kinds).get();
  }

  /** A header that any instance refuses. */
  private String forged() {
    String value =
        random
            .any(
                List.<Supplier<String>>of(
                    tokens::any,
                    tokens::any,
                    tokens::any,
                    tokens::any,
                    this::binary,
                    () -> "",
                    () -> "a.b.c",
                    () -> changed(Issuer.SERVICE_TOKEN),
                    () -> changed(Issuer.OPERATOR_TOKEN)))
            .get();
    String scheme =
        random.nextInt(10) > 0
            ? "Bearer "
            : random.any(
                List.of("bearer ", "Bearer", "Basic ", "Digest ", "Token ", "BearerX ", ""));
    return "Authorization: " + scheme + value + "\r\n";
  }

  /** A good token, of a caller who may not do this. */
  private String misplaced(Ask ask) {
    if (!ask.atDesk()) {
      return random.any(List.of(Issuer.OPERATOR_TOKEN, Issuer.READER_TOKEN, ticket));
    }
    return ask.isChange()
        ? random.any(List.of(Issuer.SERVICE_TOKEN, Issuer.READER_TOKEN, alice, ticket))
        : random.any(List.of(Issuer.SERVICE_TOKEN, alice, ticket));
  }

  private String token() {
    return random.any(List.of(alice, Issuer.SERVICE_TOKEN, Issuer.OPERATOR_TOKEN));
  }

  private String changed(String token) {
    return random.any(
        List.of(
            token + "x",
            token.substring(1),
            token.substring(0, token.length() - 1),
            token.toUpperCase(Locale.ROOT),
            token + "," + token,
            token.replace('-', '\u00ad')));
  }

  private String binary() {
    StringBuilder bytes = new StringBuilder();
    for (int i = 1 + random.nextInt(2_000); i > 0; i--) {
      bytes.append((char) (BINARY_FROM + random.nextInt(BINARY_FROM)));
    }
    return bytes.toString();
  }

  /** An order of somebody who may not have one yet. */
  private HostileRequest ticketed() {
    Target target = random.any(targets);
    String shown =
        random
            .any(
                List.<Supplier<String>>of(
                    () -> TICKET + tickets.any(),
                    () -> TICKET + tickets.any(),
                    () -> TICKET + tickets.any(),
                    () ->
                        TICKET
                            + random.any(
                                List.of(anothersTicket, otherTicket, eve, "Bearer " + ticket)),
                    () -> TICKET + ticket + "\r\n" + TICKET + ticket,
                    () -> TICKET + ticket + "\r\n" + TICKET + tickets.any(),
                    () -> TICKET + binary(),
                    () -> TICKET,
                    () -> "X-Sluice-Ticket: " + ticket,
                    () -> "Cookie: Sluice-Ticket=" + ticket))
            .get();
    return new HostileRequest(
        target.publicPort(),
        HostileRequest.bytes(
            "POST",
            "/v1/orders",
            LOCAL + target.eve() + JSON + shown + "\r\n",
            order(ticketedSkuId)),
        Due.TICKET);
  }

  static String order(long skuId) {
    return "{\"sku_id\":" + skuId + ",\"qty\":1}";
  }
}
