import { describe, expect, it } from "vitest";
import { modelWords } from "../../shared/domain/model/model-words.ts";
import { aPromptImage } from "../support/builders/workflows.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { byLooking, sentIn } from "../support/execution/fake-models.ts";

const ids = Array.from({ length: 12 }, (_, at) => `0190b5a0-0000-7000-8000-0000000000${at + 10}`);
const [first = "", second = ""] = ids;
const task =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";

async function begin(mainPrompt: string, sizeBytes = 3, inputs = {}) {
  const recording = demoRecording();
  const world = await executionWorld({
    recording,
    workflow: { mainPrompt },
    model: { decide: byLooking },
    inputs: { item: "Chair", quantity: 2, ...inputs },
  });
  const { organizationId } = world.run;
  const put = async (id: string, organization = organizationId) => {
    const key = world.stores.files.spillKey(organization, "prompt_image", id, "content", id);
    const image = aPromptImage({
      id,
      organizationId: organization,
      contentType: "image/webp",
      key,
      sizeBytes,
    });
    await world.stores.files.put(key, new Uint8Array([1, 2, 3]), image.contentType);
    await world.stores.promptImages.create(image);
    return image;
  };
  const opening = (nth = 0) => {
    const turn = world.requests[nth]?.turns[0];
    return turn?.role === "user" ? turn.parts : undefined;
  };
  return { world, put, opening };
}

const shown = { contentType: "image/webp", bytes: new Uint8Array([1, 2, 3]) };

describe("an image that the prompt names", () => {
  it("is shown to the model in its place, and inputs are filled in around it", async () => {
    const { world, put, opening } = await begin(`Press ![this](image:${first}). ${task}`);
    await put(first);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(opening()).toEqual(["Press ", shown, expect.stringContaining(". Make an order for Daniel")]);
    expect(opening(1)).toEqual(opening());
  });

  it("is told of where nobody has it, or another organization", async () => {
    const { world, put, opening } = await begin(`![](image:${first})![](image:${second})${task}`);
    await put(second, "org_another" as typeof world.run.organizationId);
    await world.execute();
    expect(opening()?.slice(0, 2)).toEqual([modelWords.imageGone, modelWords.imageGone]);
  });

  it("is told of where it was deleted since the run began", async () => {
    const { world, put, opening } = await begin(`![](image:${first})${task}`);
    const { key } = await put(first);
    await world.stores.files.remove(key);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(opening()?.[0]).toBe(modelWords.imageGone);
  });

  it("is none where an input says so", async () => {
    const note = `![](image:${second})`;
    const { world, put, opening } = await begin(`![](image:${first})({note})${task}`, 3, { note });
    for (const id of [first, second]) await put(id);
    await world.execute();
    expect(opening()?.filter((part) => typeof part !== "string")).toEqual([shown]);
    expect(opening()?.join("")).toContain(`(${note})`);
  });

  it("has a secret's value in the words around it no more than elsewhere", async () => {
    const { world, put, opening } = await begin(`{note}![](image:${first})${task}`, 3, {
      note: "PIN: 9753. ",
    });
    await put(first);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(opening()?.slice(0, 2)).toEqual(["PIN: {$pin}. ", shown]);
    expect(sentIn(world.requests)).not.toContain("9753");
  });

  it("is shown up to ten times, and ten megabytes", async () => {
    const all = ids.map((id) => `![](image:${id})`).join("");
    const many = await begin(all + task);
    for (const id of ids) await many.put(id);
    await many.world.execute();
    const words = Array(2).fill(modelWords.imageTooMany);
    expect(many.opening()?.slice(0, 12)).toEqual([...Array(10).fill(shown), ...words]);
    const large = await begin(`![](image:${first})![](image:${second})${task}`, 6_000_000);
    for (const id of [first, second]) await large.put(id);
    await large.world.execute();
    expect(large.opening()?.slice(0, 2)).toEqual([shown, modelWords.imageTooMany]);
  });
});
