import type { OrganizationId } from "../../domain/organization-id.ts";
import type { PlatformTokenStore } from "../../domain/provider/platform-budget.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { platformTokensKey } from "../table/keys.ts";

const keptSeconds = 7 * 24 * 3_600;

export class DynamoPlatformTokenStore extends DynamoStore implements PlatformTokenStore {
  async used(organizationId: OrganizationId, day: string): Promise<number> {
    const row = await this.table.get(platformTokensKey(organizationId, day));
    return typeof row?.tokens === "number" ? row.tokens : 0;
  }

  async add(organizationId: OrganizationId, day: string, tokens: number): Promise<void> {
    const ttl = Date.parse(`${day}T00:00:00Z`) / 1_000 + keptSeconds;
    await this.table.update(platformTokensKey(organizationId, day), {
      set: { kind: "platform_tokens", ttl },
      add: { tokens },
    });
  }
}
