/** The package brings no types: lower-case Cyrillic names, each male or female. */
declare module 'ru-names' {
  const genders: Readonly<Record<string, 'm' | 'f'>>;
  export default genders;
}
