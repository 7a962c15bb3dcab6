import { AwsError } from "../aws-error.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";

export function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

export function objectArn({ bucket, key }: S3Target): string {
  return `arn:aws:s3:::${bucket}/${key}`;
}

/** @throws {AwsError} NoSuchBucket */
export function requireBucket(store: ObjectStore, bucket: string): void {
  if (store.hasBucket(bucket)) return;
  throw new AwsError(404, "NoSuchBucket", "The specified bucket does not exist", {
    fields: { BucketName: bucket },
  });
}
