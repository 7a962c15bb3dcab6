import { S3Client } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { S3FileStore } from "../../../shared/files/s3-file-store.ts";

// A driver opens what leads to the bucket's `RegionalDomainName` alone.
it.each(["us-east-1", "eu-central-1"])(
  "presigned addresses lead to the bucket's host in %s",
  async (region) => {
    const credentials = { accessKeyId: "none", secretAccessKey: "none" };
    const files = new S3FileStore({ client: new S3Client({ region, credentials }), bucket: "files" });
    const addresses = [
      await files.presignPut("tunnel/a/b", { expiresInSeconds: 60 }),
      await files.presignGet("tunnel/a/b", { expiresInSeconds: 60 }),
    ];
    for (const { url } of addresses) expect(new URL(url).host).toBe(`files.s3.${region}.amazonaws.com`);
  },
);
