import { type FleetFall, fleetFalls } from "../../vocabulary/machines.ts";
import type { Clock } from "../clock.ts";
import { hashOf } from "../hash-of.ts";
import type { FleetReader, OrganizationMachines } from "./fleet-reader.ts";
import type { SweepCursorStore } from "./sweep-cursor-store.ts";

export interface JudgeFleetDeps {
  readonly fleet: Pick<FleetReader, "countByOrganization">;
  readonly sweepCursors: SweepCursorStore;
  readonly clock: Pick<Clock, "now">;
}

/** With fewer machines, a few of them are a large share. */
const machinesMin = 20;

/** A sample of this many organizations, those with the most machines, stays below 40 KB. */
const organizationsMax = 2_000;

/** The timer is late by seconds, and must not be taken for one that is early by a minute. */
const earlyMs = 30_000;

export type FleetFalls = Readonly<Partial<Record<FleetFall, number>>>;

/**
 * Compares each organization's connected machines with those of the last sample, in percent of all machines.
 *
 * A sweep that dies after its sample was replaced leaves that time unjudged; two at once judge it once.
 */
export async function judgeFleet(deps: JudgeFleetDeps): Promise<FleetFalls> {
  const now = deps.clock.now();
  const judged: Partial<Record<FleetFall, number>> = {};
  let counts: OrganizationMachines | undefined;
  for (const listing of Object.keys(fleetFalls) as FleetFall[]) {
    const { minutes, percent } = fleetFalls[listing];
    const before = await deps.sweepCursors.find(listing);
    if (before !== undefined && now < before.notBeforeMs) continue;
    counts ??= digests(await deps.fleet.countByOrganization());
    // An idle deployment writes nothing.
    if (before === undefined && counts.size === 0) continue;
    const periodMs = minutes * 60_000;
    const sample = {
      listing,
      position: JSON.stringify(Object.fromEntries(largest(counts))),
      notBeforeMs: now + periodMs - earlyMs,
      heldBack: 0,
      revision: (before?.revision ?? 0) + 1,
    };
    const isOurs = await deps.sweepCursors.replace(sample, before);
    // After an outage of the sweeper the sample is of another time.
    if (!isOurs || before?.position == null || now > before.notBeforeMs + periodMs) continue;
    const sampled: Readonly<Record<string, number>> = JSON.parse(before.position);
    judged[listing] = fallPercent(new Map(Object.entries(sampled)), counts, percent);
  }
  return judged;
}

/** The digests let a sample name no organization. */
function digests(machines: OrganizationMachines): OrganizationMachines {
  return new Map([...machines].map(([organization, count]) => [hashOf(organization).toString(36), count]));
}

function largest(machines: OrganizationMachines) {
  return [...machines].sort(([, one], [, other]) => other - one).slice(0, organizationsMax);
}

/**
 * An office that is switched off is one organization's. So at least two, and more than half of all, must have lost this
 * share of their own machines.
 */
function fallPercent(before: OrganizationMachines, now: OrganizationMachines, percent: number): number {
  let machines = 0;
  let lost = 0;
  let losing = 0;
  for (const [organization, count] of before) {
    const gone = Math.max(0, count - (now.get(organization) ?? 0));
    machines += count;
    lost += gone;
    if (100 * gone > percent * count) losing += 1;
  }
  if (machines < machinesMin || losing < 2 || losing * 2 <= before.size) return 0;
  return (100 * lost) / machines;
}
