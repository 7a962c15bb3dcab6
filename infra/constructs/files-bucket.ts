import type { IKey } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from "aws-cdk-lib/aws-s3";
import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { type KeptPrefix, keptPrefixes } from "../../shared/vocabulary/files.ts";
import { restorableDays } from "../../shared/vocabulary/time.ts";
import type { ServiceFunction } from "./service-function.ts";

/** Objects under these pass through the service and are of no use a day later. */
const passingPrefixes = ["tunnel/", "uploads/"] as const;

/** Pictures of runs' steps and what their executions go by; of no use once the steps are gone. */
const stepsPrefix = "steps/";

export interface FilesBucketProps {
  readonly logicalId: string;
  /** Days for which the pictures of runs' steps are kept. */
  readonly stepDays: number;
  /** @default one that S3 manages */
  readonly encryptionKey?: IKey | undefined;
}

const objectsReason = "The objects of this bucket are made at run time.";

/**
 * Bodies too large for a message, a row or a response, and the runs' files.
 *
 * Versioned for deletions alone: an object is written once under a fresh name and never changed. What is deleted, by
 * whomever, can be brought back for as long as the table can be restored, like the row that named it.
 */
export class FilesBucket extends Construct {
  readonly bucket: Bucket;
  readonly #name: string;
  readonly #arn: string;
  readonly #domainName: string;

  constructor(scope: Construct, id: string, { logicalId, stepDays, encryptionKey }: FilesBucketProps) {
    super(scope, id);
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [
        ...passingPrefixes.map((prefix) => ({
          id: `expire-${prefix.replace("/", "")}`,
          prefix,
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        })),
        {
          id: "expire-steps",
          prefix: stepsPrefix,
          expiration: Duration.days(stepDays),
          noncurrentVersionExpiration: Duration.days(1),
        },
        ...keptPrefixes.map((prefix) => ({
          id: `keep-deleted-${prefix.replace("/", "")}`,
          prefix,
          noncurrentVersionExpiration: Duration.days(restorableDays),
        })),
        { id: "remove-marks-of-deletions", expiredObjectDeleteMarker: true },
        { id: "abort-uploads-left-unfinished", abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    (this.bucket.node.defaultChild as CfnBucket).overrideLogicalId(logicalId);
    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Access logs would name every customer's objects in a second bucket that deletion does not reach; " +
        "CloudTrail data events can be switched on for an account that wants them.",
    });
    const stack = Stack.of(this);
    this.#name = stack.exportValue(this.bucket.bucketName);
    this.#arn = stack.exportValue(this.bucket.bucketArn);
    this.#domainName = stack.exportValue(this.bucket.bucketRegionalDomainName);
  }

  /** Where its presigned URLs lead, and nothing of what is there; sets FILES_URL. */
  bindAddress(fn: ServiceFunction): void {
    fn.set("FILES_URL", `https://${this.#domainName}`);
  }

  /**
   * Bodies in transit, directly and by presigned URLs; sets BUCKET_NAME. Deleting is for pictures once they were read, and
   * for a driver's upload that is too large: all else expires.
   */
  bindPassing(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject", "s3:PutObject"], passingPrefixes);
    this.#allow(fn, ["s3:DeleteObject"], ["tunnel/"]);
    this.#allowMissing(fn);
  }

  /** Entities' objects, directly and by presigned URLs; sets BUCKET_NAME. */
  bindReadWrite(fn: ServiceFunction, prefix: KeptPrefix): void {
    this.#allow(fn, ["s3:GetObject"], [prefix]);
    this.bindWrite(fn, prefix);
    this.#allowMissing(fn);
  }

  /** Making entities' objects and deleting those not used; sets BUCKET_NAME. */
  bindWrite(fn: ServiceFunction, prefix: KeptPrefix): void {
    this.#allow(fn, ["s3:PutObject", "s3:PutObjectTagging", "s3:DeleteObject"], [prefix]);
  }

  /** Reading the heavy fields of entities; sets BUCKET_NAME. */
  bindRead(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject"], ["spill/"]);
    this.#allowMissing(fn);
  }

  /**
   * Grants what carrying out runs needs: bodies on the way to and from desktops, pictures of steps, entities' heavy
   * fields, runs' files; sets BUCKET_NAME.
   */
  bindExecuting(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject", "s3:PutObject"], ["tunnel/", ...keptPrefixes, stepsPrefix]);
    this.#allow(fn, ["s3:PutObjectTagging"], keptPrefixes);
    this.#allow(fn, ["s3:DeleteObject"], ["tunnel/", stepsPrefix]);
    this.#allowMissing(fn);
  }

  /** Keeping pictures of runs' steps; sets BUCKET_NAME. */
  bindWriteSteps(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:PutObject"], [stepsPrefix]);
  }

  /** The pictures of runs' steps, directly and by presigned URLs; sets BUCKET_NAME. */
  bindReadSteps(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject"], [stepsPrefix]);
    this.#allowMissing(fn);
  }

  /** Deleting entities' objects, whose keys are in the table, and a run's steps, by their listing; sets BUCKET_NAME. */
  bindDelete(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:DeleteObject"], [...keptPrefixes, stepsPrefix]);
    fn.allow({
      actions: ["s3:ListBucket"],
      resources: [this.#arn],
      conditions: { StringLike: { "s3:prefix": [`${stepsPrefix}*`] } },
    });
  }

  /**
   * Listing entities' objects and deleting those that none names; reading the outputs that a run's inputs refer to, for
   * a run that the sweeper assigns. Sets BUCKET_NAME.
   */
  bindSweep(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:DeleteObject", "s3:GetObjectTagging"], [...keptPrefixes, stepsPrefix]);
    this.#allow(fn, ["s3:GetObject"], ["spill/"]);
    this.#allowMissing(fn);
  }

  #allow(fn: ServiceFunction, actions: readonly string[], prefixes: readonly string[]): void {
    const resources = prefixes.map((prefix) => `${this.#arn}/${prefix}*`);
    fn.allow({ actions, resources, wildcardReason: objectsReason });
    fn.set("BUCKET_NAME", this.#name);
  }

  /** For a 404 instead of 403 when an object does not exist: a condition on the prefix would be none of that question. */
  #allowMissing(fn: ServiceFunction): void {
    fn.allow({ actions: ["s3:ListBucket"], resources: [this.#arn] });
  }
}
