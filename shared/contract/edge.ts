/** Headers of requests that come through the CloudFront distribution (setting `edge`). */
export const EdgeHeader = {
  /** Bears what only the distribution and the functions know; the distribution replaces what a client sends. */
  originSecret: "x-origin-secret",
  /**
   * `<address>:<port>` of the client, IPv6 without brackets.
   *
   * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
   */
  viewerAddress: "cloudfront-viewer-address",
} as const;
