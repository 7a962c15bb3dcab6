import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, it } from "vitest";
import { metered, serviceCalls } from "../../../shared/aws/metered.ts";

function clientFailing(times: number) {
  let left = times;
  const client = new S3Client({
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    maxAttempts: 3,
    requestHandler: {
      handle: async () => {
        if (left-- > 0) throw Object.assign(new Error("reset"), { name: "TimeoutError" });
        throw new Error("the end");
      },
    },
  });
  return metered("s3", client);
}

const object = new GetObjectCommand({ Bucket: "bucket", Key: "key" });

describe("a metered client", () => {
  it("counts each request that it sends, retries and failures too", async () => {
    serviceCalls.take();
    await expect(clientFailing(1).send(object)).rejects.toThrow("the end");
    expect(serviceCalls.take()).toEqual({ s3: { n: 2, ms: expect.any(Number) } });
    expect(serviceCalls.take()).toEqual({});
  });

  it("does not count a presigned address, which sends nothing", async () => {
    serviceCalls.take();
    await getSignedUrl(clientFailing(0), object);
    expect(serviceCalls.take()).toEqual({});
  });
});
