/** Vocabulary of the benchmark texts. */
export const words = (
  'about above across after again against almost along already although always among another answer around ' +
  'because become before behind believe better between beyond bring build carry cause certain change choose ' +
  'clear close come common complete consider continue could country course cover create decide describe differ ' +
  'during early earth either enough every example explain family father field figure final follow friend garden ' +
  'general ground happen harbour heavy history however hundred idea important increase indeed island journey ' +
  'kitchen language large later learn letter light listen little machine manner matter measure method middle ' +
  'moment morning mountain nature nearly never north notice nothing number often open order other paper pattern ' +
  'perhaps person picture piece place plain point possible power press print problem produce proof question quiet ' +
  'rather reach reason record remember result return river second sentence several simple single small something ' +
  'south special stand start still story street strong sudden system table thought through together toward travel ' +
  'under until usual value various village voice water weather whether while window winter without wonder write'
).split(' ');

/** Twenty tags: in a blog of ten posts with three tags each, every tag has a post. */
export const tags = (
  'architecture books cities cooking design economics film gardens history language letters machines maps music ' +
  'paper photography printing science travel typography'
).split(' ');
