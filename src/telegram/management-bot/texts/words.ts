/** Formatted values that a text contains, by name. */
export type Words<Name extends string> = Readonly<Record<Name, string>>;
