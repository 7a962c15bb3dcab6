/** The setting `edge` creates the CloudFront distribution that sends these headers. */
export const EdgeHeader = {
  /** The distribution replaces what a client sends. */
  originSecret: "x-origin-secret",
  /**
   * The address is `<address>:<port>`, IPv6 without brackets.
   *
   * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
   */
  viewerAddress: "cloudfront-viewer-address",
} as const;
