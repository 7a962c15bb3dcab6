/** Code that walks a value by recursion takes no deeper one. */
export const jsonDepthMax = 64;
