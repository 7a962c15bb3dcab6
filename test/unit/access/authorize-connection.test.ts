import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import { anonymousCaller, type Caller } from "../../../shared/domain/access/caller.ts";
import { formatDesktopToken, mintDesktopToken } from "../../../shared/domain/access/desktop-token.ts";
import { authorizeConnection } from "../../../shared/domain/connection/authorize-connection.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Scope } from "../../../shared/vocabulary/access.ts";
import { aMachine, anOrganization } from "../../support/builders/entities.ts";
import { FakeSigner } from "../../support/fakes/fake-signer.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

function keyOf(organizationId: OrganizationId, scopes: readonly Scope[] = ["driver"]): ApiKey {
  return {
    id: `key-of-${organizationId}-${scopes.join("-")}`,
    organizationId,
    userId: "0190b5a0-0000-7000-8000-0000000000aa",
    name: "",
    scopes,
    secretDigest: "",
    createdAt: "2026-01-01T00:00:00.000Z",
    revokedAt: null,
    expiresAt: null,
    last4: null,
  };
}

function viewerOf(organizationId: OrganizationId): Caller {
  return {
    kind: "session",
    organizationId,
    userId: "0190b5a0-0000-7000-8000-0000000000bb",
    principal: "u",
    keyId: null,
    scopes: ["read", "write"],
  };
}

function setUp(scopes?: readonly Scope[]) {
  const organizationId = anOrganization();
  const stores = createModelStores();
  const key = keyOf(organizationId, scopes);
  const keys = new Map([["good-key", key]]);
  const deps = { ...stores, keys: { verify: async (text: string) => keys.get(text) } };
  const tokenFor = (viewer: Caller | undefined, selectedOrganizationId?: string) =>
    formatDesktopToken(
      stores.signer,
      mintDesktopToken(deps, viewer ?? anonymousCaller("192.0.2.1"), {
        remotePeerId: "peer-1",
        selectedOrganizationId,
      }),
    );
  const authorize = (desktopToken: string, more: Record<string, string> = {}) =>
    authorizeConnection(deps, { desktopToken, machineApiKey: "good-key", remotePeerId: "peer-1", ...more });
  return { ...stores, organizationId, keys, deps, tokenFor, authorize };
}

describe("authorizeConnection", () => {
  it("lets a verified viewer of the key's organization open the desktop of the same peer", async () => {
    const { organizationId, tokenFor, authorize } = setUp();
    const answer = await authorize(await tokenFor(viewerOf(organizationId)));
    expect(answer).toMatchObject({ reason: null, organizationId, machineId: null });
  });

  it("never lets an anonymous token in, but gives the driver its ticket", async () => {
    const { tokenFor, authorize } = setUp();
    const answer = await authorize(await tokenFor(undefined));
    expect(answer.reason).toBe("viewer_not_authenticated");
    expect(answer.ticket).not.toBeNull();
  });

  it.each([
    [
      "the viewer's organization is another",
      (own: string) => [viewerOf(organizationIdOf(`${own}x`)), undefined, {}] as const,
    ],
    [
      "the organization given with the key is another",
      (own: string) =>
        [viewerOf(organizationIdOf(own)), undefined, { selectedOrganizationId: "another" }] as const,
    ],
  ])("refuses when %s", async (_, given) => {
    const { organizationId, tokenFor, authorize } = setUp();
    const [viewer, selected, more] = given(organizationId);
    expect((await authorize(await tokenFor(viewer, selected), more)).reason).toBe("organization_mismatch");
  });

  it("refuses a viewer who selected another organization before the token was made", async () => {
    const { organizationId, tokenFor } = setUp();
    expect(() => tokenFor(viewerOf(organizationId), "another")).toThrow(/selectedOrganizationId/);
  });

  it.each([[{ remotePeerId: "peer-2" }], [{ remotePeerId: undefined }]])(
    "refuses when the peer given is %j",
    async (more) => {
      const { organizationId, tokenFor, authorize } = setUp();
      const answer = await authorize(
        await tokenFor(viewerOf(organizationId)),
        more as Record<string, string>,
      );
      expect(answer.reason).toBe("peer_mismatch");
    },
  );

  it("answers 404 for a machine of another organization, the same as for none", async () => {
    const { machines, tokenFor, authorize } = setUp();
    const other = aMachine();
    await machines.create(other);
    await expect(authorize(await tokenFor(undefined), { machineId: other.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("names the machine of the key's organization", async () => {
    const { organizationId, machines, tokenFor, authorize } = setUp();
    const own = aMachine({ organizationId });
    await machines.create(own);
    const answer = await authorize(await tokenFor(undefined), { machineId: own.id });
    expect(answer).toMatchObject({ machineId: own.id, ticket: { machineId: own.id } });
  });

  it.each([
    ["no dot", "nonsense"],
    ["an empty payload", ".mac"],
    ["a changed payload", "changed"],
    ["another deployment's key", "foreign"],
  ])("refuses a token with %s", async (_, kind) => {
    const { deps, tokenFor, authorize } = setUp();
    const token = await tokenFor(undefined);
    const [payload = "", mac = ""] = [
      token.slice(0, token.indexOf(".")),
      token.slice(token.indexOf(".") + 1),
    ];
    const foreign = mintDesktopToken(deps, anonymousCaller("192.0.2.1"), { remotePeerId: "peer-1" });
    const forged =
      kind === "changed"
        ? `${payload.slice(0, -2)}AA.${mac}`
        : kind === "foreign"
          ? await formatDesktopToken(new FakeSigner("another key"), foreign)
          : kind;
    await expect(authorize(forged)).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  it("refuses a token 120 seconds after it was made", async () => {
    const { clock, tokenFor, authorize } = setUp();
    const token = await tokenFor(undefined);
    clock.advance(119_000);
    await expect(authorize(token)).resolves.toBeDefined();
    clock.advance(1_000);
    await expect(authorize(token)).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  it("refuses a bad key", async () => {
    const { tokenFor, authorize } = setUp();
    await expect(authorize(await tokenFor(undefined), { machineApiKey: "bad" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });

  it("gives no ticket to a key that may not open tunnels", async () => {
    const { tokenFor, authorize } = setUp(["read"]);
    expect((await authorize(await tokenFor(undefined))).ticket).toBeNull();
  });

  it("gives the same ticket again while it is unused and alive, and a new one when it expired unused", async () => {
    const { clock, tokenFor, authorize } = setUp();
    const token = await tokenFor(undefined);
    const first = (await authorize(token)).ticket;
    clock.advance(59_000);
    expect((await authorize(token)).ticket).toEqual(first);
    clock.advance(2_000);
    const second = (await authorize(token)).ticket;
    expect(second?.nonce).not.toBe(first?.nonce);
  });

  it("answers 401 once the ticket was used", async () => {
    const { tickets, tokenFor, authorize } = setUp();
    const token = await tokenFor(undefined);
    const { ticket } = await authorize(token);
    expect(await tickets.redeem(ticket?.tokenId ?? "", ticket?.nonce ?? "")).toBeDefined();
    await expect(authorize(token)).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  it("shows a living ticket to nobody but the key that it was made for", async () => {
    const { keys, tokenFor, authorize } = setUp();
    keys.set("another-key", keyOf(anOrganization()));
    const token = await tokenFor(undefined);
    await authorize(token);
    await expect(authorize(token, { machineApiKey: "another-key" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });
});
