import { S3Client } from "@aws-sdk/client-s3";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

/**
 * Otherwise the SDK would sign the checksum of an empty body into presigned uploads, which then fit no file.
 *
 * Source: https://docs.aws.amazon.com/sdkref/latest/guide/feature-dataintegrity.html
 */
export function createS3Client(): S3Client {
  return metered(
    "s3",
    bounded(
      new S3Client({
        ...clientSettings,
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
      }),
    ),
  );
}
