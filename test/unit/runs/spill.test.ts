import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { inlineBytesMax, removeSpilled, spill, unspill } from "../../../shared/domain/spill.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryFileStore } from "../../support/fakes/in-memory-file-store.ts";

const setUp = () => {
  const files = new InMemoryFileStore(new FakeClock());
  const place = {
    organizationId: organizationIdOf("org_1"),
    kind: "run",
    id: v7(),
    field: "output_data",
    objectId: v7(),
  };
  return { files, place };
};

describe("a heavy field", () => {
  it("stays in its item up to 8 KB of JSON", async () => {
    const { files, place } = setUp();
    const value = "x".repeat(inlineBytesMax - 2);
    expect(await spill({ files }, place, value)).toEqual({ kind: "inline", value });
    expect(files.keys()).toEqual([]);
  });

  it("goes to the bucket above that, comes back as it was, and is removed for good", async () => {
    const { files, place } = setUp();
    const value = { text: "ä".repeat(inlineBytesMax / 2), deep: [null, 1.5, { "": true }] };
    const spilled = await spill({ files }, place, value);
    expect(spilled.kind).toBe("object");
    expect(files.keys()).toEqual([`spill/org_1/run/${place.id}/output_data-${place.objectId}`]);
    expect(await unspill({ files }, spilled)).toEqual(value);
    await removeSpilled({ files }, [spilled, null, { kind: "inline", value: 1 }]);
    await removeSpilled({ files }, [spilled]);
    expect(files.keys()).toEqual([]);
    expect(await unspill({ files }, spilled)).toBeNull();
  });

  it("counts bytes, not characters", async () => {
    const { files, place } = setUp();
    expect((await spill({ files }, place, "ä".repeat(inlineBytesMax / 2))).kind).toBe("object");
  });
});
