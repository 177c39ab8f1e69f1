import type { Language } from '../language.ts'

const language: Language = {
  corrects:
    /지금은? ?(?:말고|아니|됐|안 ?돼)|(?:너|네|당신|봇)(?:한테|에게|를|을)? ?(?:안|아무도) ?(?:물어|물었|불렀|부른)|(?:너|당신|봇)(?:한테|에게) (?:한|하는|물어본|물은) (?:말|거|것|게)(?:이|은|는)? ?(?:아니|아닌)|아무도 ?(?:안|너) ?(?:물|불|한테)|끼어들지 ?마|조용/,
}

export default language
