import type { Fleet, FleetReader, OrganizationMachines } from "../../domain/maintenance/fleet-reader.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { type DueListing, duePartitions, placeOfLiveRow } from "../table/index-keys.ts";
import { timestampOfSortKey } from "../table/key-parts.ts";
import { countRows, queryItems, readRows } from "../table/query.ts";

/** Half a read unit counts some 25 machines or runs. */
export class DynamoFleetReader extends DynamoStore implements FleetReader {
  async read(): Promise<Fleet> {
    const [connectedMachines, runsWaiting, oldest] = await Promise.all([
      this.#count("LIVE"),
      this.#count("WAITING#RUN"),
      Promise.all(duePartitions("WAITING#RUN").map((partition) => this.#firstAtMs(partition))),
    ]);
    const atMs = oldest.filter((each) => each !== undefined);
    return {
      connectedMachines,
      runsWaiting,
      oldestQueuedAtMs: atMs.length === 0 ? undefined : Math.min(...atMs),
    };
  }

  async countByOrganization(): Promise<OrganizationMachines> {
    const machines = new Map<string, number>();
    const count = async (partition: string) => {
      for await (const item of readRows(this.table, { index: "due", partition })) {
        const { organizationId } = placeOfLiveRow(item);
        machines.set(organizationId, (machines.get(organizationId) ?? 0) + 1);
      }
    };
    await Promise.all(duePartitions("LIVE").map(count));
    return machines;
  }

  async #count(listing: DueListing): Promise<number> {
    const counts = duePartitions(listing).map((partition) =>
      countRows(this.table, { index: "due", partition }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  async #firstAtMs(partition: string): Promise<number | undefined> {
    const [first] = await queryItems(this.table, { index: "due", partition }, 1);
    return first && timestampOfSortKey(String(first.due_sk));
  }
}
