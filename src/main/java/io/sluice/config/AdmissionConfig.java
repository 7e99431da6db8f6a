package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Settings;

/**
 * How much one caller, and all of them together, may ask of one instance; 0 turns a limit off.
 *
 * @param instancePerS calls per second
 * @param skuPerS orders per second of one SKU
 * @param buyerPerMinute orders of one buyer in any minute
 * @param addressPerMinute calls from one address in any minute
 * @param strikes after how many overruns within a minute a buyer is banned
 * @param banS for how many seconds
 * @param secondLookS for how many seconds after a ban one overrun is enough for the next
 * @param lastFactor orders per unit left that one event loop asks for at the same time, from LAST
 *     on
 */
public record AdmissionConfig(
    int instancePerS,
    int skuPerS,
    int buyerPerMinute,
    int addressPerMinute,
    int strikes,
    int banS,
    int secondLookS,
    int lastFactor) {
  static final IntKey INSTANCE_PER_S = new IntKey("admission.instance_per_s", 0, 0, 10_000_000);
  static final IntKey SKU_PER_S = new IntKey("admission.sku_per_s", 0, 0, 10_000_000);
  static final IntKey BUYER_PER_MINUTE = new IntKey("admission.buyer_per_minute", 10, 0, 1_000);
  static final IntKey ADDRESS_PER_MINUTE =
      new IntKey("admission.address_per_minute", 0, 0, 10_000_000);
  static final IntKey STRIKES = new IntKey("admission.strikes", 3, 0, 100);
  static final IntKey BAN_S = new IntKey("admission.ban_s", 600, 1, 2_592_000);
  static final IntKey SECOND_LOOK_S = new IntKey("admission.second_look_s", 1_800, 0, 2_592_000);

  static final IntKey LAST_FACTOR = new IntKey("admission.last_factor", 20, 0, 1_000_000);

  public AdmissionConfig {
    INSTANCE_PER_S.check(instancePerS);
    SKU_PER_S.check(skuPerS);
    BUYER_PER_MINUTE.check(buyerPerMinute);
    ADDRESS_PER_MINUTE.check(addressPerMinute);
    STRIKES.check(strikes);
    BAN_S.check(banS);
    SECOND_LOOK_S.check(secondLookS);
    LAST_FACTOR.check(lastFactor);
  }

  static AdmissionConfig read(Settings settings) {
    return new AdmissionConfig(
        settings.number(INSTANCE_PER_S),
        settings.number(SKU_PER_S),
        settings.number(BUYER_PER_MINUTE),
        settings.number(ADDRESS_PER_MINUTE),
        settings.number(STRIKES),
        settings.number(BAN_S),
        settings.number(SECOND_LOOK_S),
        settings.number(LAST_FACTOR));
  }
}
