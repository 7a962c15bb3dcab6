/** Of a step that ends its function each time. */
export const triesMax = 3;
