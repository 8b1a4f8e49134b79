/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as t,C as s,D as i,F as a,G as n,H as r,I as l,K as o,L as d,a as h,b as c,c as u,d as p,e as m,f as g,g as f,h as y,i as v,j as b,k as w,l as $,m as k,n as x,o as _,p as S,q as T,r as z,s as E,u as A,v as M,w as C,x as D,y as L,z as N}from"./parts/chunk-UAKWSMQP.js";import{a as O}from"./parts/chunk-DHP5BHIK.js";var P=class extends p{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.editing="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1,this.draft=null}fill(e){this.text=e,this.area.value=e,this.fit()}edit(e){this.draft??=this.text,this.fill(e),this.area.focus(),this.area.setSelectionRange(e.length,e.length)}updated(e){e.has("editing")&&!this.editing&&null!==this.draft&&(this.fill(this.draft),this.draft=null),this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,t=this.text.length-8e3;return c`${this.editing?this.change():u}
<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint editing"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():u} ${this.calls&&!this.text?this.call():u}
${this.busy?c`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${_("stop",16)}
</button>`:c`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||t>0||this.listening}
@click=${this.send}
>
${_("send")}
</button>`}
</div>
${t>0?c`<p class="problem" role="alert">${e.say("too_long",{count:e.number(t)})}</p>`:u}`}change(){let e=this.words.say("stop_editing");return c`<div class="editing">
${_("edit",15)}
<span id="editing">${this.editing}</span>
<button class="icon-button small" aria-label=${e} title=${e} @click=${this.leave}>
${_("close",15)}
</button>
</div>`}call(){let e=this.words.say("call");return c`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${_("call")}
</button>`}plan(){let e=this.words.say("plan_first");return c`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${_("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return c`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>U(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>U(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${_("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?"Escape"===e.key&&this.editing?this.leave():("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}leave(){this.tell("cancel"),this.area.focus()}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function U(e){return" "===e.key||"Enter"===e.key}P.shadowRootOptions={...p.shadowRootOptions,delegatesFocus:!0},P.styles=[z,h`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.editing{display:flex;align-items:center;gap:var(--aisha-2);max-inline-size:760px;margin:0 auto var(--aisha-1);padding-inline-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-muted)}.editing svg{flex:none}.editing span{flex:1}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],O([m({attribute:!1})],P.prototype,"words",2),O([m({attribute:!1})],P.prototype,"earlier",2),O([m()],P.prototype,"placeholder",2),O([m()],P.prototype,"heard",2),O([m()],P.prototype,"editing",2),O([m({type:Boolean})],P.prototype,"busy",2),O([m({type:Boolean})],P.prototype,"listening",2),O([m({type:Boolean})],P.prototype,"voice",2),O([m({type:Boolean})],P.prototype,"planning",2),O([m({type:Boolean})],P.prototype,"calls",2),O([g()],P.prototype,"text",2),O([f("textarea")],P.prototype,"area",2),P=O([x("aisha-composer")],P);var R="/api/ai/flow-chat",j=new Set([404,409,410]),I=class{constructor(e){this.host=e,this.id=null,this.title="",this.messages=[],this.entities=[],this.mood=null,this.phase="idle",this.isLoading=!1,this.loadError=null,this.running=null,this.sent=new Map}get pending(){let e=this.messages.findLast(e=>"assistant"===e.role);return e?.confirmation&&!e.decision?e:null}get spoken(){return this.messages.filter(e=>"user"===e.role).map(e=>e.text).reverse()}get editable(){let e=this.messages.at(-2);return"idle"===this.phase&&"user"===e?.role?e:null}isReplaceable(e){let{editable:t}=this;return t?.key===e&&(this.messages.at(-1)?.isReplaceable??!1)}async send(e,t=null){let s=e.trim();if(!s||"idle"!==this.phase)return;let i=null!==t&&this.isReplaceable(t)?this.messages.slice(-2):[],a=i[1]?.id,n=E({role:"assistant",state:"streaming"});this.settlePending(),this.messages=[...this.messages,E({role:"user",text:s}),n];let r=this.host.isPlanning()?R:"/api/ai/chat",l={...this.body(),message:s,...a?{replaces:a}:{}};await this.run(n.key,{path:r,body:l,key:$(),replaced:i})}async answerAgain(e){let{editable:t}=this;t&&this.messages.at(-1)?.key===e&&await this.send(t.text,t.key)}async retry(e){let t=this.sent.get(e);if(!t||"idle"!==this.phase)return;let s="invalid_input"===this.find(e)?.error?.code;this.patch(e,{state:"streaming",error:null,at:new Date}),t.asked&&this.patch(t.asked.key,{decision:t.body.userConfirmation?"approved":"rejected"}),await this.run(e,s?{...t,key:$()}:t)}stop(){this.running?.abort(new DOMException("stopped","AbortError"))}async decide(e,t,s=null){let i=this.find(e);if(!i?.confirmation||i.decision||"idle"!==this.phase)return;let{id:a}=i.confirmation,n=E({role:"assistant",state:"streaming"}),r="approve"===t;this.patch(e,{decision:r?"approved":"rejected",plan:N(i.confirmation,s),followUps:[]}),this.messages=[...this.messages,n],await this.run(n.key,{path:R,body:{...this.host.request(),userConfirmation:r,confirmationId:a,...null===s?{}:{choice:s}},key:`${a}:${t}:${H(s??"")}`,asked:i,replaced:[]})}async undo(e){let t=this.find(e);if(!t?.changes.length||t.undo)return;this.patch(e,{undo:"running"});let{rest:s}=this.host.api,i=[],a=null;try{let e=new Set(t.changes.map(e=>e.id)),n=(await w(s.GET("/api/crm/changes"))).items.filter(t=>t.isOwn&&t.operation&&e.has(t.entity.id)).reverse(),r=new Set(n.slice(0,t.changes.length).map(e=>e.operation));for(let e of r){let{receipts:t}=await w(s.POST("/api/ai/undo",{body:{operation:e},params:G(e)}));i.push(...t.map(({action:e,entity:t})=>({action:e,...t})))}i.length||(a=new y(404,"nothing_to_undo",""))}catch(e){a=v(e)}this.patch(e,{undo:a?null:"done"}),i.length&&this.host.recordsChanged(i);let n=E({role:"system",changes:i,error:a});this.messages=[...this.messages,n],this.host.changed(),this.host.answered(n)}expire(e){this.find(e)?.decision||this.patch(e,{decision:"expired",followUps:[]})}clear(){this.stop(),this.sent.clear(),Object.assign(this,{id:null,title:"",messages:[],entities:[],mood:null,loadError:null}),this.host.kept(null),this.host.changed()}async open(e){this.stop(),this.sent.clear(),Object.assign(this,{id:e,title:"",messages:[],entities:[],mood:null,loadError:null,isLoading:!0}),this.host.changed();try{let t=await this.load(e);if(this.id!==e)return;this.title=t.title,this.entities=t.entities,this.messages=(e=>{let t=e.messages.filter(e=>"user"===e.role||"assistant"===e.role).map(W),s=t.at(-1);if(e.confirmation&&"assistant"===s?.role){let{confirmation:i,entities:a}=e;t[t.length-1]={...s,confirmation:i,plan:N(i),entities:a}}return t})(t),this.mood=this.messages.findLast(e=>e.mood)?.mood??null,this.host.kept(e)}catch(t){if(this.id!==e)return;let s=v(t);404===s.status?this.clear():this.loadError=s}finally{(this.id===e||null===this.id)&&(this.isLoading=!1),this.host.changed()}}patch(e,t){this.messages=this.messages.map(s=>s.key===e?{...s,...t}:s),this.host.changed()}find(e){return this.messages.find(t=>t.key===e)}body(){return{...this.host.request(),...this.id?{conversationId:this.id}:{}}}async run(e,t){this.sent.set(e,t),this.hide(t.replaced);let{signal:i}=this.begin();try{for await(let a of k(this.host.api,t.path,t.body,t.key,i)){"start"===a.type&&this.begun(a.messageMetadata.conversationId),this.followPlan(t,a);let[i,n]=s(this.find(e),a,performance.now());this.replace(i),this.take(n)}this.finish(e)}catch(s){i.aborted?(this.patch(e,{state:"stopped",...q(this.find(e))}),this.endPlan(t),this.showAgain(t.replaced,e)):this.fail(e,v(s),t)}finally{this.end()}let a=this.find(e)?.needs;a&&!i.aborted&&await this.answerNeeds(e,a,t)}async answerNeeds(e,t,s){if(s.body.attachedData||s.body.clientSections)return;let i=await this.host.provide(t).catch(()=>null);if(!i||"idle"!==this.phase)return;let a={...s.body,...this.body(),...i,replaces:null};this.patch(e,{needs:null,text:"",state:"streaming"}),await this.run(e,{path:s.path,body:a,key:$(),replaced:[]})}followPlan({asked:t},s){let i=t&&this.find(t.key)?.plan;i&&this.patch(t.key,{plan:e(i,s)})}endPlan({asked:e}){let s=e&&this.find(e.key)?.plan;s&&this.patch(e.key,{plan:t(s)})}begin(){return this.running=new AbortController,this.phase="processing",this.host.changed(),this.running}end(){this.running=null,this.phase="idle",this.host.changed()}begun(e){this.id!==e&&(this.id=e,this.host.kept(e))}finish(e){let t=this.find(e);this.patch(e,{state:"done",at:new Date}),t.entities.length&&(this.entities=t.entities),t.mood&&(this.mood=t.mood),t.confirmation&&this.host.confirmationNeeded(t.confirmation),this.host.answered(this.find(e))}fail(e,t,s){let{asked:i}=s;if(this.patch(e,{state:"failed",error:t,...q(this.find(e))}),i){let e=j.has(t.status);this.patch(i.key,e?{decision:"settled"}:{decision:null,followUps:i.followUps}),this.endPlan(s)}this.showAgain(s.replaced,e),this.host.answered(this.find(e))}hide(e){let t=new Set(e.map(e=>e.key));this.messages=this.messages.filter(e=>!t.has(e.key))}showAgain(e,t){let s=this.messages.findIndex(e=>e.key===t)-1;this.messages=this.messages.toSpliced(s,0,...e)}take(e){e.changes.length&&this.host.recordsChanged(e.changes),e.navigation&&this.host.navigated(e.navigation)}replace(e){this.messages=this.messages.map(t=>t.key===e.key?e:t),this.host.changed()}settlePending(){let{pending:e}=this;e&&(this.messages=this.messages.map(t=>t===e?{...t,decision:"settled"}:t))}async load(e){let t,s;for(let i=0;i<20;i+=1){let i=await w(this.host.api.rest.GET("/api/ai/conversations/{id}",{params:{path:{id:e},query:{limit:50,...t?{cursor:t}:{}}}}));if(s=s?{...i,messages:[...s.messages,...i.messages]}:i,t=i.nextCursor??void 0,!t)break}return s}};function W(e){let t=e.metadata;return E({id:e.id,role:e.role,text:e.content,at:new Date(e.createdAt),state:e.finished?"done":"unfinished",isReplaceable:t?.isReplaceable??!1,steps:e.toolCalls.map(F),sources:t?.sources??[],insights:t?.insights??[],nextSteps:t?.nextSteps??[],recommendedScans:t?.recommendedScans??[],followUps:t?.followUps??[],mood:t?.mood??null})}function F(e){return{id:e.id,tool:e.name,arguments:e.arguments??{},state:"executed"===e.status?"done":"pending"===e.status?"waiting":"failed",startedAt:0,durationMs:null,outcome:e.line}}function q(e){return e?{steps:i(e).steps}:{}}function G(e){return{header:{"Idempotency-Key":`undo:${e}`}}}function H(e){let t=0;for(let s of e)t=Math.imul(t,31)+s.codePointAt(0)|0;return(t>>>0).toString(36)}var Y=class extends p{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:t}=this;return c`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${t?this.moodMark(t):u}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):u}
`}moodMark(e){let t=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return c`<span role="img" aria-label=${t} title=${t}>${e.emoji}</span>`}button(e,t,s,i,a=!1){let n=this.words.say(e);return c`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${i??u}
?disabled=${a}
@click=${s}
>
${_(t)}
</button>`}sound(){let e=this.words.say("read_answers");return c`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${_(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};Y.styles=[z,h`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],O([m({attribute:!1})],Y.prototype,"words",2),O([m({attribute:!1})],Y.prototype,"mood",2),O([m()],Y.prototype,"name",2),O([m()],Y.prototype,"state",2),O([m()],Y.prototype,"view",2),O([m({type:Boolean})],Y.prototype,"minimisable",2),O([m({type:Boolean})],Y.prototype,"fresh",2),O([m({type:Boolean})],Y.prototype,"aloud",2),Y=O([x("aisha-header")],Y);var B={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function K(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var V=class{constructor(e,t){this.recogniser=new(K()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",i=null;this.recogniser.addEventListener("result",e=>{let{results:i}=e;s=Array.from(i,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{i={problem:B[e.error]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:i??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},J="aisha.";function Z(e){try{return localStorage.getItem(J+e)}catch{return null}}function X(e,t){try{null===t?localStorage.removeItem(J+e):localStorage.setItem(J+e,t)}catch{}}var Q=["why_wrong","why_misread","why_incomplete","why_slow","why_other"],ee=class extends p{constructor(){super(...arguments),this.isAsking=!1}render(){let{feedback:e}=this.message;return c`${this.thumb("up","good_answer","up")} ${this.thumb("down","bad_answer","thumbDown")}
${this.isAsking&&"down"===e?c`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
<span>${this.words.say("why_bad")}</span>
${Q.map(e=>c`<button class="button" @click=${()=>this.rate("down",e)}>
${this.words.say(e)}
</button>`)}
</div>`:u}`}thumb(e,t,s){let i=this.words.say(t);return c`<button
class="icon-button small"
aria-label=${i}
title=${i}
aria-pressed=${this.message.feedback===e}
@click=${()=>this.rate(e)}
>
${_(s,15)}
</button>`}rate(e,t){this.isAsking="down"===e&&!t,this.actions.rate(this.message.key,e,t?.replace("why_","")),this.isAsking||this.actions.announce(this.words.say("thanks"))}};ee.styles=[z,h`:host{display:contents}.why{order:9;inline-size:100%;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) 6px;border:0;margin:0;font-size:var(--aisha-text-s)}.why .button{min-block-size:28px;padding:2px 10px;font-weight:400;border-radius:14px}`],O([m({attribute:!1})],ee.prototype,"message",2),O([m({attribute:!1})],ee.prototype,"words",2),O([m({attribute:!1})],ee.prototype,"actions",2),O([g()],ee.prototype,"isAsking",2),ee=O([x("aisha-feedback")],ee);var te=["search","get","list","create","update","delete"];function se(e,t){let s=t.named("does_",e,"");if(s)return s;let[i,...a]=e.split("_"),n=te.find(e=>e===i);if(!n||!a.length)return C(e);let r=a.join("_");return t.say(`tool_${n}`,{what:t.named("types_",r,t.named("type_",r,C(r).toLowerCase()))})}var ie=class extends p{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return u;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return c`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?c` · ${this.words.seconds(e)}`:u}</span
>
<span class="chevron">${_("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let t=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return c`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${se(e.tool,this.words)}${t?c` · ${t}`:u}</span>
<span class="time" dir="auto"
>${null===e.durationMs?u:this.words.seconds(e.durationMs)}</span
>
</summary>
${L(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let t=c`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?c`<span class="spinner"></span>${t}`:c`${_("done"===e?"check":"failed"===e?"close":"clock",14)}${t}`}};ie.styles=[z,h`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],O([m({attribute:!1})],ie.prototype,"steps",2),O([m({attribute:!1})],ie.prototype,"names",2),O([m({attribute:!1})],ie.prototype,"words",2),ie=O([x("aisha-steps")],ie);var ae=class extends p{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.editable=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?c`<div class="asked">
<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>
${this.editable?this.tool("edit_message","edit",()=>this.actions.edit(e.key)):u}
</div>`:c`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?u:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,i=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&i!==this.shown&&(this.prose.replaceChildren(r(t,"streaming"===s)),this.shown=i)}get names(){return D(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:t}=this.message,s=t.map(e=>e.name).join(", ");return c`${s?c`<p class="system">${_("undo",14)} ${this.words.say("undone_names",{names:s})}</p>`:u}
${e?c`<aisha-notice .words=${this.words} .text=${a(e,this.words)}></aisha-notice>`:u}`}status(){let{message:e,words:t}=this;if("streaming"!==e.state)return u;let s=e.steps.findLast(e=>"running"===e.state);if(e.text&&!s)return u;let i=s?`${se(s.tool,t)}…`:t.say("thinking");return c`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${i}</span>
</div>`}marks(){let{message:e,words:t}=this;return"stopped"===e.state?this.stopped():"unfinished"===e.state?ne(t.say("unfinished")):e.needs&&"done"===e.state?ne(t.say("needs_data",{names:(s=e.needs,Object.values(s).flatMap(e=>Array.isArray(e)?e.map(e=>"string"==typeof e?e:String(e?.id??"")):e&&"object"==typeof e?Object.keys(e):[]).filter(Boolean).map(C).join(", ").toLowerCase())})):e.error?c`<aisha-notice
.words=${t}
.text=${a(e.error,t)}
.retryAfter=${e.error.retryAfter}
.reference=${e.error.requestId??""}
?retryable=${(e=>![402,403,404,410,413,422].includes(e))(e.error.status)&&!e.decision}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`:u;var s}stopped(){let e=c`<button
class="button"
?disabled=${this.busy}
@click=${()=>this.actions.retry(this.message.key)}
>
${_("retry",15)} ${this.words.say("retry")}
</button>`;return c`${ne(this.words.say("stopped"),"stop")}${this.last?e:u}`}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?c`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:u}findings(){let{message:e,words:t}=this;if("failed"===e.state)return u;let s=l(e.text),i=[...e.insights.map(e=>["bulb",e]),...e.nextSteps.filter(e=>!s.includes(e)).map(e=>["plan",e])];return c`
${e.warnings.map(e=>ne(e))} ${e.usage?.degraded?ne(t.say("degraded")):u}
${i.length?c`<div class="section">
<ul class="insights" aria-label=${t.say("insights")}>
${i.map(([e,t])=>c`<li dir="auto">${_(e,16)}<span>${t}</span></li>`)}
</ul>
</div>`:u}
${this.sources()} ${this.footer()} ${this.last?c`${this.scans()}${this.followUps()}`:u}
`}sources(){let{sources:e}=this.message;return e.length?c`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${e.map(e=>c`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${S(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
</ul>
</div>`:u}scans(){let{recommendedScans:e,steps:t}=this.message,s=new Set(t.map(e=>e.arguments.scan_type)),i=e.filter(e=>!s.has(e));return i.length?c`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${i.map(e=>{let t=this.words.named("scan_",e,e.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:t});return this.chip(s,_("search",14))})}
</ul>
</div>`:u}followUps(){let{followUps:e,confirmation:t,decision:s}=this.message;return!e.length||t&&!s?u:c`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,c`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,t){return c`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${t}<span dir="auto">${e}</span>
</button>
</li>`}footer(){let{message:e,words:t}=this;return e.text?c`<div class="footer" role="group" aria-label=${t.say("answer_actions")}>
${e.changes.length?c`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${_("undo",14)}
${"done"===e.undo?t.say("undone"):t.count("undo",e.changes.length)}
</button>`:u}
${this.last&&e.isReplaceable?this.tool("answer_again","retry",()=>this.actions.answerAgain(e.key),this.busy):u}
${this.tool(this.isCopied?"copied":"copy",this.isCopied?"check":"copy",()=>this.copy())}
${this.tool(this.speaking?"stop_reading":"read_aloud",this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${t} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${t.moment(e.at)}</span>
</div>`:u}tool(e,t,s,i=!1){let a=this.words.say(e);return c`<button
class="icon-button small"
aria-label=${a}
title=${a}
?disabled=${i}
@click=${s}
>
${_(t,15)}
</button>`}timing(){let{words:e,message:t}=this,{usage:s,ttsMs:i}=t;if(!s)return"";let{totalMs:a,llmMs:n}=s.timing;return`${[e.say("timing",{total:e.seconds(a)}),e.say("timing_model",{llm:e.seconds(n)}),...i?[e.say("timing_voice",{tts:e.seconds(i)})]:[]].join(", ")} · ${s.model}`}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};function ne(e,t="alert"){return c`<p class="mark">${_(t,14)}<span>${e}</span></p>`}ae.styles=[z,d,h`:host{display:block;padding-block:var(--aisha-2)}.asked{display:flex;flex-direction:row-reverse;align-items:center;gap:var(--aisha-1)}.user{max-inline-size:85%;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.mark svg{flex:none}.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],O([m({attribute:!1})],ae.prototype,"message",2),O([m({attribute:!1})],ae.prototype,"words",2),O([m({attribute:!1})],ae.prototype,"actions",2),O([m({attribute:!1})],ae.prototype,"records",2),O([m()],ae.prototype,"name",2),O([m({type:Boolean})],ae.prototype,"last",2),O([m({type:Boolean})],ae.prototype,"editable",2),O([m({type:Boolean})],ae.prototype,"busy",2),O([m({type:Boolean})],ae.prototype,"speaking",2),O([g()],ae.prototype,"isCopied",2),O([f(".prose")],ae.prototype,"prose",2),ae=O([x("aisha-message")],ae);var re=class extends p{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.editable="",this.busy=!1,this.isAway=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>!this.isAway&&this.toNewest()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"user"===this.messages.at(-2)?.role&&(this.isAway=!1),this.isAway||this.toNewest()}render(){let e=this.messages.at(-1)?.key;return c`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(t=>c`<aisha-message
.message=${t}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${t.key===e}
?editable=${t.key===this.editable}
?busy=${this.busy}
?speaking=${t.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isAway?c`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.backToNewest}
>
${_("down")}
</button>`:u}`}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:s}=this.frame;this.isAway=e-t-s>80}backToNewest(){this.isAway=!1,this.toNewest()}toNewest(){this.frame&&(this.frame.scrollTop=this.frame.scrollHeight)}};re.styles=[z,h`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline:0;margin-inline:auto;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],O([m({attribute:!1})],re.prototype,"messages",2),O([m({attribute:!1})],re.prototype,"records",2),O([m({attribute:!1})],re.prototype,"words",2),O([m({attribute:!1})],re.prototype,"actions",2),O([m()],re.prototype,"name",2),O([m()],re.prototype,"speaking",2),O([m()],re.prototype,"editable",2),O([m({type:Boolean})],re.prototype,"busy",2),O([g()],re.prototype,"isAway",2),O([f(".scroll")],re.prototype,"frame",2),O([f(".messages")],re.prototype,"content",2),re=O([x("aisha-transcript")],re);var le=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function oe(e,t,s){let i=`${e.label}_text`;return s?t.english(i):t.say(i)}var de=class extends p{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return c`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):u}
${le.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,t){let s=oe(e,this.words,this.english);return c`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(s)} aria-keyshortcuts=${t??u}>
${_(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${s}</span></span>
${t?c`<kbd aria-hidden="true">${t}</kbd>`:u}
</button>
</li>`}};de.styles=[z,h`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],O([m({attribute:!1})],de.prototype,"words",2),O([m({attribute:!1})],de.prototype,"actions",2),O([m({type:Boolean,attribute:"on-record"})],de.prototype,"onRecord",2),O([m({type:Boolean})],de.prototype,"english",2),O([m({type:Boolean})],de.prototype,"busy",2),de=O([x("aisha-welcome")],de);var he=class extends p{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.provideData=null,this.view="chat",this.isOnline=navigator.onLine,this.isUnread=!1,this.announced="",this.heard="",this.voices=[],this.isCalling=!1,this.viewsError=null,this.listening=null,this.speakingKey=null,this.editing=null,this.voiceProblem="",this.tenantName="AiSHA",this.isEnglishOnly=!1,this.preferences={theme:"midnight",model:"",isReadAloud:!1,voice:"",callVoice:"",isPlanning:!1},this.words=new A("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e),n(this.composer)},retry:e=>{this.conversation.retry(e),n(this.composer)},answerAgain:e=>{this.conversation.answerAgain(e),n(this.composer)},edit:e=>{this.edit(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),n(this.composer)},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.readAloud(e)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e)},this.talk=async()=>{if(this.listening)return;this.speech.stop(),this.voiceProblem=this.heard="";try{this.listening=new V(this.words.locale,e=>this.heard=e)}catch{return void(this.voiceProblem=this.words.say("error_microphone"))}let e=await this.listening.heard;this.listening=null,this.heard="",this.composer?.fill(""),"text"in e?await this.say(e.text):this.voiceProblem=this.words.say(`error_${e.problem}`)},this.beginCall=async()=>{this.speech.stop(),this.voiceProblem="",await this.loadViews(),this.viewsError?this.voiceProblem=a(this.viewsError,this.words):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),!e&&(this.speech.stop(),this.speakingKey=null)},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,X("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()},this.restore=async()=>{this.minimised=!1,X("minimised",null),await this.updateComplete,n(this.composer)},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let i=((e,t,s)=>{let i=/^[1-3]$/.test(e)?le[Number(e)-1]:void 0;return i?oe(i,t,s):null})(e.key,this.words,this.isEnglishOnly);i&&this.say(i)},this.connectionChanged=()=>{if(this.isOnline=navigator.onLine,!this.isOnline)return;this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}connectedCallback(){super.connectedCallback(),addEventListener("online",this.connectionChanged),addEventListener("offline",this.connectionChanged),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("online",this.connectionChanged),removeEventListener("offline",this.connectionChanged),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.speech?.stop(),this.conversation?.stop()}firstUpdated(){this.loadViews()}willUpdate(e){if(!this.hasUpdated){let e=Z("theme");this.preferences={theme:this.hasAttribute("theme")?this.theme:e??"midnight",model:Z("model")??"",isReadAloud:"yes"===Z("aloud"),voice:Z("voice")??"",callVoice:Z("call_voice")??"",isPlanning:"yes"===Z("plan")},this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===Z("minimised")&&(this.minimised=!0)}(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised),this.dataset.theme="light"===this.theme||"system"===this.theme&&!this.isDark.matches?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language;e!==this.wordsOf&&(this.wordsOf=e,this.words=await M(e)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout){let t=e.say(this.isUnread?"open_unread":"open");return c`<button
class="launcher"
dir=${e.direction}
lang=${e.language}
aria-label=${t}
title=${t}
@click=${this.restore}
>
<span aria-hidden="true">${this.calledName.slice(0,1)}</span>
${this.isUnread?c`<span class="unread"></span>`:u}
</button>
${this.announcer()}`}let{conversation:t}=this;return c`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${t.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===t.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.isOnline?u:c`<p class="banner" role="status">${_("offline",16)} ${e.say("offline")}</p>`}
${this.voiceProblem?c`<p class="banner" role="status">${_("mic",16)} ${this.voiceProblem}</p>`:u}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():c`<aisha-composer
.words=${e}
.earlier=${t.spoken}
.heard=${this.heard}
.editing=${this.editingWords}
@cancel=${()=>this.editing=null}
placeholder=${e.say(t.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==t.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${null!==this.listening}
?voice=${void 0!==K()}
@send=${e=>this.say(e.detail,this.editing)}
@stop=${()=>t.stop()}
?calls=${this.voices.length>0}
@call=${this.beginCall}
@talk=${this.talk}
@release=${()=>this.listening?.finish()}
></aisha-composer>`:u}
</div>
${this.announcer()}
</section>`}call(){return c`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
voice=${this.preferences.callVoice}
@changes=${e=>this.tellChanges(e.detail)}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return c`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:t,client:s,viewsError:i}=this;return"chat"!==this.view&&i?c`<div class="empty">
<aisha-notice
.words=${e}
.text=${a(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>
</div>`:"history"===this.view?c`<aisha-history
.api=${s}
.words=${e}
.current=${t.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===t.id&&t.clear()}
></aisha-history>`:"settings"===this.view?c`<aisha-settings
.api=${s}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:t.isLoading?c`<p class="loading" role="status">${e.say("loading")}</p>`:t.loadError?c`<div class="empty">
<aisha-notice
.words=${e}
.text=${a(t.loadError,e)}
.retryAfter=${t.loadError.retryAfter}
.reference=${t.loadError.requestId??""}
retryable
@retry=${()=>t.open(t.id)}
></aisha-notice>
</div>`:t.messages.length?c`<aisha-transcript
.messages=${t.messages}
.records=${t.entities}
.words=${e}
.actions=${this.actions}
.name=${this.calledName}
.speaking=${this.speakingKey}
.editable=${t.editable?.key??""}
?busy=${"idle"!==t.phase}
></aisha-transcript>`:c`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.isEnglishOnly}
?on-record=${!!this.recordId}
?busy=${"idle"!==t.phase}
></aisha-welcome>
<aisha-suggestions
.api=${s}
.words=${e}
.actions=${this.actions}
@changes=${e=>this.tellChanges(e.detail)}
></aisha-suggestions>
</div>`}get calledName(){return this.name||this.tenantName}get panelState(){return this.isOnline?this.listening?"listening":"idle"!==this.conversation.phase?"processing":this.speakingKey?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=b({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech=new o(e),this.conversation=new I({api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>X(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)}),this.name||this.loadName(e),this.loadModels(e);let t=Z(`conversation.${this.api}`);t&&this.conversation.open(t)}async loadName(e){let t=await w(e.rest.GET("/api/ai/profile")).catch(()=>null);t?.assistantName&&(this.tenantName=t.assistantName)}async loadModels(e){let t=(await e.rest.GET("/api/ai/models").catch(()=>null))?.data;this.isEnglishOnly="offline"===t?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?t?.realtimeVoices??[]:[]}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...t]=this.preferences.model.split("/"),s=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,...e?{provider:e,model:t.join("/")}:{},...s?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e,t=null){this.view="chat",this.voiceProblem="",this.speech.stop(),this.editing=null,await this.conversation.send(e,t)}async edit(e){this.editing=e,await this.updateComplete,this.composer?.edit(this.conversation.find(e).text)}get editingWords(){let{editing:e,conversation:t}=this;return null!==e&&t.find(e)?this.words.say(t.isReplaceable(e)?"editing_replaces":"editing_follows"):""}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),i=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);i&&this.say(i.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let t=e.error?a(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:l(e.confirmation.question)}):l(e.text);this.announce(t),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.readAloud(e.key)}async readAloud(e){let t=this.speakingKey===e;this.speech.stop(),this.speakingKey=null;let s=this.conversation.find(e);if(t||!s?.text)return;this.speakingKey=e;let i=await this.speech.say(s.text,this.words.locale,this.preferences.voice);this.speakingKey===e&&(this.speakingKey=null),this.conversation.patch(e,{ttsMs:i}),this.record("read_aloud","voice",!0,i,{ttsMs:i})}async endCall({conversationId:e,problem:t}){this.isCalling=!1,this.voiceProblem=t,e&&this.conversation.open(e),await this.updateComplete,n(this.composer)}rate(e,t,s){this.conversation.patch(e,{feedback:t}),("up"===t||s)&&this.record("answer_feedback","feedback","up"===t,0,void 0,s)}async record(e,t,s,i,a,n){let r={commandName:e,commandType:t,success:s,executionTimeMs:i,timing:a,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:r}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){this.preferences=e,this.theme=e.theme,X("theme",e.theme),X("model",e.model||null),X("aloud",e.isReadAloud?"yes":null),X("voice",e.voice||null),X("call_voice",e.callVoice||null),X("plan",e.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&n(this.composer)}async loadViews(){this.viewsError=await import("./parts/views-VU7EW762.js").then(()=>null,()=>new y(0,"unreachable",""))}};function ce(e,t="USD",s=!1){let i=Number(e);if(!Number.isFinite(i))return"—";try{return new Intl.NumberFormat(void 0,{style:"currency",currency:String(t||"USD"),maximumFractionDigits:s?1:i%1?2:0,notation:s?"compact":"standard"}).format(i)}catch{return`${pe(i)} ${String(t)}`}}function ue(e){return new Intl.NumberFormat(void 0,{style:"currency",currency:"USD",maximumFractionDigits:0===e||e>=.1?2:5}).format(e)}function pe(e){return new Intl.NumberFormat(void 0,{maximumFractionDigits:1}).format(e)}function me(e){let t=String(e??""),s=/^\d{4}-\d{2}-\d{2}$/.test(t),i=new Date(s?`${t}T00:00`:t);return Number.isNaN(i.getTime())?null:i}function ge(e){let t=me(e);if(!t)return"—";let s=t.getFullYear()===(new Date).getFullYear();return t.toLocaleDateString(void 0,{day:"numeric",month:"short",...s?{}:{year:"numeric"}})}function fe(e){let t=me(e);return t?t.toLocaleTimeString(void 0,{hour:"numeric",minute:"2-digit"}):""}function ye(e){return`${ge(e)}, ${fe(e)}`}function ve(e){let t=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime();return Math.round((t(e)-t(new Date))/864e5)}function be(e){let t=me(e);if(!t)return"—";let s=ve(t);return Math.abs(s)>13?ge(e):new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}).format(s,"day")}function we(e){let t=e.replace(/[_-]+/g," ").trim();return t.charAt(0).toUpperCase()+t.slice(1)}function $e(e){return e>=1e3?`${pe(e/1e3)} s`:`${Math.round(e)} ms`}function ke(e){return e.profile.values["opportunity.stage"]??[]}function xe(e){if(!(e instanceof Error))return"Something went wrong. Please try again.";if(e.message)return e.message;let{status:t,code:s}=e;return"offline"===s?"You are offline. This goes on when the connection is back.":0===t?"The server does not answer. Please try again in a moment.":401===t?"You are signed out. Load the page again to sign in.":"The server could not do this. Please try again."}he.shadowRootOptions={...p.shadowRootOptions,delegatesFocus:!0},he.styles=[T,z,h`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template:auto auto minmax(0,1fr) auto / minmax(0,1fr);background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.launcher{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],O([m()],he.prototype,"api",2),O([m({reflect:!0})],he.prototype,"theme",2),O([m({reflect:!0})],he.prototype,"layout",2),O([m()],he.prototype,"locale",2),O([m()],he.prototype,"name",2),O([m({attribute:"record-type"})],he.prototype,"recordType",2),O([m({attribute:"record-id"})],he.prototype,"recordId",2),O([m()],he.prototype,"page",2),O([m({type:Boolean,reflect:!0})],he.prototype,"minimised",2),O([m({attribute:!1})],he.prototype,"token",2),O([m({attribute:!1})],he.prototype,"provideData",2),O([g()],he.prototype,"view",2),O([g()],he.prototype,"isOnline",2),O([g()],he.prototype,"isUnread",2),O([g()],he.prototype,"announced",2),O([g()],he.prototype,"heard",2),O([g()],he.prototype,"voices",2),O([g()],he.prototype,"isCalling",2),O([g()],he.prototype,"viewsError",2),O([g()],he.prototype,"listening",2),O([g()],he.prototype,"speakingKey",2),O([g()],he.prototype,"editing",2),O([g()],he.prototype,"voiceProblem",2),O([g()],he.prototype,"tenantName",2),O([g()],he.prototype,"isEnglishOnly",2),O([g()],he.prototype,"preferences",2),O([f("aisha-composer")],he.prototype,"composer",2),he=O([x("aisha-assistant")],he);var _e=class{constructor(e,t,s=!1){this.host=e,this.type=t,this.isWhole=s,this.items=[],this.total=null,this.next=null,this.isLoading=!0,this.error="",this.filters={},this.attempt=0,this.redraw=()=>this.host.requestUpdate(),this.apply=e=>{let t=e.detail.filter(e=>e.entity.type===this.type);if(t.length){if(Object.values(this.filters).some(Boolean))return void this.load(this.filters);for(let e of t)this.take(e);this.host.requestUpdate()}},e.addController(this)}hostConnected(){this.host.desk?.feed.addEventListener("changes",this.apply),this.host.desk?.feed.addEventListener("marks",this.redraw)}hostDisconnected(){this.host.desk?.feed.removeEventListener("changes",this.apply),this.host.desk?.feed.removeEventListener("marks",this.redraw)}async load(e={}){this.hostConnected(),this.filters=e;let t=this.attempt+=1;this.isLoading=!0,this.error="",this.host.requestUpdate();try{let e=[],s=null;for(let i=0;i<(this.isWhole?20:1);i+=1){let i=await this.page(s);if(t!==this.attempt)return;if(e=[...e,...i.items],[this.total,s]=[i.total,i.next_cursor],!s)break}[this.items,this.next]=[e,s]}catch(e){if(t!==this.attempt)return;this.error=xe(e)}this.isLoading=!1,this.host.requestUpdate()}async more(){let e=this.attempt;if(this.next&&!this.isLoading){this.isLoading=!0,this.host.requestUpdate();try{let t=await this.page(this.next);if(e!==this.attempt)return;let s=new Set(this.items.map(e=>e.id));this.items=[...this.items,...t.items.filter(e=>!s.has(e.id))],this.next=t.next_cursor}catch(e){this.host.desk.tell(xe(e),!0)}this.isLoading=!1,this.host.requestUpdate()}}async page(e){let t={...this.filters,limit:50,...e?{cursor:e}:{}};return await w(this.host.desk.api.rest.GET("/api/crm/{type}",{params:{path:{type:this.type},query:t}}))}take(e){let t=this.items.findIndex(t=>t.id===e.entity.id),s=e.record;s?t>=0?this.items=this.items.with(t,s):("created"===e.action||"undo_last"===e.tool)&&(this.items=[s,...this.items],this.total=null===this.total?null:this.total+1):(t>=0&&(this.total=null===this.total?null:this.total-1),this.items=this.items.filter(t=>t.id!==e.entity.id))}},Se=[{type:"lead",page:"leads",one:"Lead",many:"Leads",module:"leads"},{type:"contact",page:"contacts",one:"Contact",many:"Contacts",module:"contacts"},{type:"account",page:"accounts",one:"Account",many:"Accounts",module:"accounts"},{type:"opportunity",page:"opportunities",one:"Deal",many:"Deals",module:"opportunities"},{type:"activity",page:"activities",one:"Activity",many:"Activities",module:"activities"},{type:"note",page:"notes",one:"Note",many:"Notes",module:"notes"}];function Te(e){return Se.find(t=>t.type===e)}function ze(e){return Se.find(t=>t.page===e)}function Ee(e,t,s=!1){let i=t[e.type];if(!i)return s?e.many:e.one;let a=i.charAt(0).toUpperCase()+i.slice(1);return s&&!a.endsWith("s")?`${a}s`:a}function Ae(e,t){let s=e.custom?.[t];return"string"==typeof s&&s?s:null}function Me(e,t,s){let i=Ae(e,t),a=String(e[t]??"");return i&&s.find(e=>e.label===i)||s.find(e=>e.key===a)||s.find(e=>e.countsAs===a)}function Ce(e){return!String(e.stage).startsWith("closed")}function De(e){return e.replace(/_id$/,"").replace(/_at$/,"").replace(/_/g," ")}function Le(e,t){let s=e[t];return null==s||""===s?"—":"boolean"==typeof s?s?"Yes":"No":/amount|value|revenue/.test(t)?ce(s,e.currency):/(_at|_date)$/.test(t)?ge(s):"probability"===t?`${String(s)}%`:"owner"===t?we(String(s)):Array.isArray(s)?s.map(Ne).join(", ")||"—":Ae(e,t)||(["status","stage","source","health","priority","activity_type","note_type","type"].includes(t)?we(String(s)):Ne(s))}function Ne(e){return"object"!=typeof e||null===e?String(e):"string"==typeof e.name?e.name:Object.values(e).filter(e=>"object"!=typeof e&&""!==e).join(", ")}function Oe(e){let t=Te(e.entity.type)?.one.toLowerCase()??e.entity.type,s=e.entity.name;if("undo_last"===e.tool)return`took back a change of ${s}`;if("created"===e.action)return`created the ${t} ${s}`;if("deleted"===e.action)return`deleted the ${t} ${s}`;let{before:i,after:a}=e;for(let e of["stage","status","health","owner"])if(e in a||Ae(a,e)!==Ae(i,e))return`${"stage"===e?`moved ${s}`:`set the ${e} of ${s}`} from ${Le(i,e)} to ${Le(a,e)}`;let n=Object.keys(a).filter(e=>!["version","updated_at","custom"].includes(e));return n.length?`changed ${n.slice(0,3).map(De).join(", ")} of ${s}`:`changed ${s}`}var Pe="What is on my plate today?";function Ue(e,t){return`Move the deal ${t.display_name} to the stage ${e}`}var Re=h`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-ink)}h1{margin:0;font-size:20px;letter-spacing:-.01em}h2{margin:0 0 var(--aisha-3);font-size:var(--aisha-text-m)}p{margin:0}a{color:var(--aisha-accent)}.muted{color:var(--aisha-muted)}.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3)}.head{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3);margin-block-end:var(--aisha-4)}.row .end,.head .end{margin-inline-start:auto}.card{background:var(--aisha-raised);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-4)}.grid{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr))}.stack{display:grid;align-content:start;gap:var(--aisha-3)}.stack>h2{margin:0}.scroll{overflow:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius)}table{inline-size:100%;border-collapse:collapse}th{position:sticky;inset-block-start:0;background:var(--aisha-raised);color:var(--aisha-muted);font-weight:600;text-align:start;white-space:nowrap}th,td{padding:9px var(--aisha-3);border-block-end:1px solid var(--aisha-line);vertical-align:top}tr:last-child td{border-block-end:0}.number{text-align:end;font-variant-numeric:tabular-nums}td.name{overflow-wrap:anywhere;min-inline-size:16ch;max-inline-size:48ch}progress{appearance:none;display:block;inline-size:100%;block-size:8px;border:0;border-radius:4px;overflow:hidden;background:var(--aisha-hover)}progress::-webkit-progress-bar{background:var(--aisha-hover)}progress::-webkit-progress-value{background:var(--aisha-accent-fill)}progress::-moz-progress-bar{background:var(--aisha-accent-fill)}.badge{display:inline-block;padding:2px 8px;border-radius:999px;font-size:var(--aisha-text-xs);font-weight:600;background:var(--aisha-hover);color:var(--aisha-ink);white-space:nowrap}.badge.good{color:var(--aisha-good)}.badge.warn{color:var(--aisha-warn);background:var(--aisha-warn-soft)}.badge.bad{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.badge.accent{color:var(--aisha-accent);background:var(--aisha-accent-soft)}.link{color:var(--aisha-accent);font-weight:600;text-align:start;text-decoration:none;border-radius:4px}.link:hover{text-decoration:underline}.marked{background:var(--aisha-accent-soft);box-shadow:inset 3px 0 0 var(--aisha-accent)}.empty{display:grid;gap:var(--aisha-3);justify-items:center;padding:var(--aisha-6);text-align:center;color:var(--aisha-muted);border:1px dashed var(--aisha-line-strong);border-radius:var(--aisha-radius)}.error{color:var(--aisha-danger)}.skeleton{block-size:220px;border-radius:var(--aisha-radius);background:var(--aisha-raised);border:1px solid var(--aisha-line);animation:wait 1.6s ease-in-out infinite alternate}@keyframes wait{to{opacity:.55}}.tabs{display:flex;flex-wrap:wrap;gap:var(--aisha-1)}.tabs a,.tabs button{padding:7px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none}.tabs a:hover,.tabs button:hover{background:var(--aisha-hover);color:var(--aisha-ink)}.tabs [aria-current=page],.tabs [aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}label.field{display:grid;gap:var(--aisha-1);font-weight:600}label.field .muted,label.field :is(input,select,textarea){font-weight:400}dl.fields{display:grid;grid-template-columns:minmax(9ch,auto) 1fr;gap:var(--aisha-2) var(--aisha-4);margin:0}dl.fields dt{color:var(--aisha-muted)}dl.fields dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:var(--aisha-mono);font-size:var(--aisha-text-xs);overflow-wrap:anywhere;white-space:pre-wrap;margin:0}`,je={warm:"warn",qualified:"good",completed:"good",executed:"good",closed_won:"good",healthy:"good",ok:"good",done:"good",open:"accent",scheduled:"accent",proposal:"accent",negotiation:"accent",needs_confirmation:"warn",pending:"warn",at_risk:"warn",high:"warn",urgent:"bad",overdue:"bad",critical:"bad",failed:"bad",rejected:"bad",unavailable:"bad",stalled:"bad",lost:"bad",closed_lost:"bad"};function Ie(e,t){return"string"==typeof e&&e?c`<span class="badge ${t??je[e]??""}">${we(e)}</span>`:u}function We(e,t){let s=e[t],i=Ae(e,t);return i?c`<span class="badge ${je[String(s)]??""}">${i}</span>`:Ie(s)}function Fe(e,t=u){return c`<div class="empty">
<p>${e}</p>
${t}
</div>`}function qe(e,t){return c`<div class="empty" role="alert">
<p class="error">${e}</p>
<button class="button" @click=${t}>Try again</button>
</div>`}var Ge=c`<div class="skeleton" role="status"><span class="hidden-text">Loading</span></div>`,He=Se.find(e=>"activity"===e.type),Ye=["Overdue","Today","Next 7 days","Later","Without a date","Done"],Be=class extends p{constructor(){super(...arguments),this.view="list",this.month=Je(new Date)}firstUpdated(){this.list=new _e(this,"activity",!0),this.list.load()}render(){let e=this.list;return c`<div class="head">
<h1>${Ee(He,this.desk.profile.labels,!0)}</h1>
<nav class="tabs" aria-label="View">
<a href="#/activities" aria-current=${"list"===this.view?"page":u}>List</a>
<a href="#/calendar" aria-current=${"calendar"===this.view?"page":u}>Calendar</a>
</nav>
<button class="button end" @click=${()=>this.desk.ask(Pe)}>${Pe}</button>
</div>
${!e||e.isLoading&&!e.items.length?Ge:e.error?qe(e.error,()=>e.load()):"calendar"===this.view?this.calendar(e.items):this.groups(e.items)}`}groups(e){if(!e.length)return Fe("There are no activities yet. Ask the assistant to plan one.");let t=new Map(Ye.map(e=>[e,[]]));for(let s of e)t.get(Ke(s)).push(s);return c`${Ye.map(e=>{let s=Ve(t.get(e),"Done"===e),i="Done"===e?s.slice(0,20):s;return i.length?c`<section>
<h2>${e} <span class="muted">${s.length}</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table class="group">
<tbody>
${i.map(t=>this.row(t,e))}
</tbody>
</table>
</div>
</section>`:u})}`}row(e,t){let s=e.related,i=this.desk.feed.markOf(e.id);return c`<tr class=${i?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/activities/${e.id}">${e.display_name}</a>
${i?c` <span class="badge accent">${i.action} by ${i.isOwn?"you":i.user}</span>`:u}
</td>
<td dir="auto">${s?.name??"—"}</td>
<td>${we(String(e.activity_type))}</td>
<td>${e.due_at?ye(e.due_at):"—"}</td>
<td>${Ie("Overdue"===t?"overdue":e.status)}</td>
<td>${e.owner?we(String(e.owner)):"—"}</td>
</tr>`}calendar(e){let t=new Map;for(let s of e){let e=me(s.due_at);e&&t.set(e.toDateString(),[...t.get(e.toDateString())??[],s])}let s=(e=>{let t=(e.getDay()+6)%7,s=new Date(e.getFullYear(),e.getMonth()+1,0).getDate(),i=Math.min(6,Math.ceil((t+s)/7));return Array.from({length:7*i},(s,i)=>new Date(e.getFullYear(),e.getMonth(),1-t+i))})(this.month),i=this.month.toLocaleDateString(void 0,{month:"long",year:"numeric"});return c`<div class="head">
<button class="icon-button" aria-label="Month before" @click=${()=>this.turn(-1)}>‹</button>
<h2 aria-live="polite">${i}</h2>
<button class="icon-button" aria-label="Month after" @click=${()=>this.turn(1)}>›</button>
<button class="button" @click=${()=>this.month=Je(new Date)}>Today</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Calendar of ${i}">
<table class="calendar">
<thead>
<tr>
${s.slice(0,7).map(e=>c`<th scope="col">${e.toLocaleDateString(void 0,{weekday:"short"})}</th>`)}
</tr>
</thead>
<tbody>
${Array.from({length:s.length/7},(e,i)=>c`<tr>
${s.slice(7*i,7*i+7).map(e=>this.day(e,t.get(e.toDateString())??[]))}
</tr>`)}
</tbody>
</table>
</div>`}day(e,t){let s=e.getMonth()!==this.month.getMonth(),i=Ve(t).slice(0,3);return c`<td class="${s?"other":""} ${0===ve(e)?"today":""}">
<span class="day">${e.getDate()}</span>
${i.map(e=>c`<a
class="entry ${String(e.status)} ${this.desk.feed.markOf(e.id)?"marked":""}"
href="#/activities/${e.id}"
title=${e.display_name}
>${fe(e.due_at)} ${e.display_name}</a
>`)}
${t.length>i.length?c`<span class="muted">+${t.length-i.length} more</span>`:u}
</td>`}turn(e){this.month=new Date(this.month.getFullYear(),this.month.getMonth()+e,1)}};function Ke(e){if("scheduled"!==e.status)return"Done";let t=me(e.due_at);if(!t)return"Without a date";let s=ve(t);return t.getTime()<Date.now()?"Overdue":0===s?"Today":s<=7?"Next 7 days":"Later"}function Ve(e,t=!1){let s=e=>me(e.due_at)?.getTime()??0;return e.toSorted((e,i)=>t?s(i)-s(e):s(e)-s(i))}function Je(e){return new Date(e.getFullYear(),e.getMonth(),1)}Be.styles=[z,Re,h`section{margin-block-end:var(--aisha-5)}h2{margin-block-end:var(--aisha-2)}.head h2{margin:0;min-inline-size:9em;text-align:center}.head .icon-button{font-size:22px}.group{table-layout:fixed;min-inline-size:680px}.group td:nth-child(1){inline-size:30%}.group td:nth-child(2){inline-size:24%}.group td:nth-child(4){inline-size:20%}.calendar{table-layout:fixed;min-inline-size:640px}.calendar td{block-size:96px;padding:var(--aisha-1);border-inline-end:1px solid var(--aisha-line)}.calendar td.other{background:var(--aisha-sunken)}.day{display:inline-block;min-inline-size:24px;padding:2px 4px;text-align:center;color:var(--aisha-muted);border-radius:999px}.today .day{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.entry{min-block-size:24px;padding:3px 6px;margin-block-start:3px;border-radius:4px;font-size:var(--aisha-text-xs);background:var(--aisha-hover);color:inherit;text-decoration:none;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;line-clamp:2;overflow-wrap:anywhere}.entry.completed,.entry.cancelled{text-decoration:line-through;color:var(--aisha-muted)}`],O([m({attribute:!1})],Be.prototype,"desk",2),O([m()],Be.prototype,"view",2),O([g()],Be.prototype,"month",2),Be=O([x("desk-activities")],Be);var Ze=class extends p{constructor(){super(...arguments),this.due=[],this.error="",this.load=async()=>{try{this.due=(await w(this.desk.api.rest.GET("/api/ai/notifications"))).notifications,this.error=""}catch(e){this.error=xe(e)}},this.close=()=>{this.details.open=!1}}firstUpdated(){this.desk.feed.addEventListener("changes",this.load),this.timer=setInterval(this.load,3e5),this.load()}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.load),clearInterval(this.timer)}render(){let e=this.due.length;return c`<details @keydown=${this.pressed} @focusout=${this.left}>
<summary aria-label="Notifications: ${e} due" title="Notifications">
<svg
width="18"
height="18"
viewBox="0 0 24 24"
fill="none"
stroke="currentColor"
stroke-width="1.8"
stroke-linecap="round"
stroke-linejoin="round"
aria-hidden="true"
>
<path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4" />
</svg>
${e?c`<span class="badge accent">${e}</span>`:u}
</summary>
<div class="card list">
${this.error?c`<p class="error" role="alert">${this.error}</p>`:e?c`<ul>
${this.due.map(e=>c`<li>${this.linked(e)}<span class="muted">${ye(e.dueAt)}</span></li>`)}
</ul>`:c`<p class="muted">Nothing is due.</p>`}
<a class="link" href="#/settings" @click=${this.close}>What comes, and how you are told</a>
</div>
</details>`}linked(e){let t="activity"===e.source?Te("activity"):e.entity?Te(e.entity.type):void 0,s="activity"===e.source?e.id:e.entity?.id;return t&&s?c`<a class="link" dir="auto" href="#/${t.page}/${s}" @click=${this.close}>${e.title}</a>`:c`<span dir="auto">${e.title}</span>`}pressed(e){"Escape"!==e.key||!this.details.open||(this.close(),this.details.querySelector("summary")?.focus())}left(e){e.relatedTarget&&!this.details.contains(e.relatedTarget)&&this.close()}};Ze.styles=[z,Re,h`details{position:relative}summary{display:flex;align-items:center;gap:var(--aisha-1);padding:6px 10px;border-radius:var(--aisha-radius-s);cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}summary:hover{background:var(--aisha-hover)}.list{position:absolute;inset-inline-end:0;inset-block-start:calc(100% + 4px);z-index:5;inline-size:min(340px,calc(100vw - 32px));max-block-size:60vh;overflow-y:auto;box-shadow:var(--aisha-shadow)}ul{display:grid;gap:var(--aisha-3);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{overflow-wrap:anywhere}li .muted{display:block}`],O([m({attribute:!1})],Ze.prototype,"desk",2),O([g()],Ze.prototype,"due",2),O([g()],Ze.prototype,"error",2),O([f("details")],Ze.prototype,"details",2),Ze=O([x("desk-bell")],Ze);var Xe=Se.find(e=>"opportunity"===e.type),Qe=class extends p{constructor(){super(...arguments),this.over="",this.owner="",this.seen=new Set}firstUpdated(){this.list=new _e(this,"opportunity",!0),this.list.load()}updated(){for(let e of this.renderRoot.querySelectorAll(".card.marked")){let t=`${e.getAttribute("href")} ${e.querySelector(".news")?.textContent}`;this.seen.has(t)||(this.seen.add(t),e.scrollIntoView({block:"nearest",inline:"nearest"}))}}render(){let e=this.list;if(!e||e.isLoading&&!e.items.length)return Ge;if(e.error)return qe(e.error,()=>e.load());let t=[...new Set(e.items.map(e=>String(e.owner??"")))].filter(Boolean).sort();return c`<div class="head">
<h1>${Ee(Xe,this.desk.profile.labels,!0)}</h1>
<span class="muted">${e.items.length}${e.next?"+":""} in all</span>
<label class="row end">
<span class="muted">Owner</span>
<select
.value=${this.owner}
@change=${e=>this.owner=e.target.value}
>
<option value="">Everyone</option>
${t.map(e=>c`<option value=${e}>${we(e)}</option>`)}
</select>
</label>
</div>
${e.items.length?c`<div class="board" role="group" tabindex="0" aria-label="Deals by stage">
${this.columns(e.items).map(({stage:e,deals:t})=>this.column(e,t))}
</div>`:Fe("There are no deals yet. Ask the assistant to create one.")}`}columns(e){let t=ke(this.desk),s=e.filter(e=>!this.owner||e.owner===this.owner),i=new Map(t.map(e=>[e,[]]));for(let e of s){let s=Me(e,"stage",t)??null;i.set(s,[...i.get(s)??[],e])}return[...i].map(([e,t])=>({stage:e,deals:t}))}column(e,t){let s=e?.label??"Other stages";return c`<section
class=${e&&this.over===e.key?"over":""}
aria-label="${s}, ${t.length}"
@dragover=${t=>this.hover(t,e)}
@dragleave=${()=>this.over=""}
@drop=${t=>this.drop(t,e)}
>
<header>
<h2>${s}<span class="muted">${t.length}</span></h2>
<span class="muted">${et(t)}</span>
</header>
<ul>
${t.map(e=>c`<li>${this.card(e)}</li>`)}
</ul>
</section>`}card(e){let t=this.desk.feed.markOf(e.id),s=me(e.close_date),i=s&&Ce(e)&&ve(s)<0;return c`<a
class="card ${t?"marked":""}"
href="#/opportunities/${e.id}"
draggable="true"
@dragstart=${()=>this.dragged=e}
>
<strong>${e.display_name}</strong>
<span>${ce(e.amount,e.currency)}</span>
<span class="foot muted">
<span class=${i?"late":""}
>${s?`${i?"was due ":""}${be(e.close_date)}`:"no date"}</span
>
<span>${e.owner?we(String(e.owner)):""}</span>
</span>
${t?c`<span class="news">${t.isOwn?"You":t.user} ${Oe(t)}</span>`:u}
</a>`}hover(e,t){!t||!this.dragged||Me(this.dragged,"stage",ke(this.desk))===t||(e.preventDefault(),this.over=t.key)}drop(e,t){e.preventDefault(),this.over="",this.dragged&&t&&this.desk.ask(Ue(t.label,this.dragged)),this.dragged=void 0}};function et(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+Number(s.amount??0))}return[...t].map(([e,t])=>ce(t,e,!0)).join(" + ")||"—"}Qe.styles=[z,Re,h`.board{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(184px,1fr);gap:var(--aisha-2);overflow-x:auto;scroll-snap-type:x proximity;padding-block-end:var(--aisha-3);align-items:start}section{background:var(--aisha-sunken);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-2);min-block-size:180px}section{scroll-snap-align:start}section.over{border-color:var(--aisha-accent);background:var(--aisha-accent-soft)}header{display:grid;gap:2px;padding:var(--aisha-2)}h2{display:flex;justify-content:space-between;margin:0;font-size:var(--aisha-text-s)}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.card{display:grid;gap:var(--aisha-1);inline-size:100%;padding:var(--aisha-3);text-align:start;cursor:pointer;text-decoration:none;color:inherit}.card:hover{border-color:var(--aisha-line-strong)}.card strong{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.card.marked{border-color:var(--aisha-accent);animation:arrive .6s ease-out}.foot{display:flex;justify-content:space-between;gap:var(--aisha-2)}.late{color:var(--aisha-danger)}.news{font-size:var(--aisha-text-xs);color:var(--aisha-accent);overflow-wrap:anywhere}@keyframes arrive{0%{transform:translateY(-6px);opacity:.3}}`],O([m({attribute:!1})],Qe.prototype,"desk",2),O([g()],Qe.prototype,"over",2),O([g()],Qe.prototype,"owner",2),Qe=O([x("desk-board")],Qe);var tt=class extends p{constructor(){super(...arguments),this.shown=[],this.undoing="",this.take=e=>{let t=new Map;for(let s of e.detail){let e=s.operation??String(s.sequence);t.set(e,[...t.get(e)??[],s])}for(let[e,s]of t)this.forgetUndone(s),this.shown=[{key:e,changes:s},...this.shown.filter(t=>t.key!==e)].slice(0,3),setTimeout(()=>this.expire(e),s[0].isOwn?3e4:12e3)}}connectedCallback(){super.connectedCallback(),this.desk.feed.addEventListener("changes",this.take)}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}render(){return c`<aside aria-label="Changes">
<div role="status" class="hidden-text">${this.shown[0]?this.words(this.shown[0]):u}</div>
${this.shown.map(e=>this.row(e))}
</aside>`}row(e){let t=e.changes[0],s=t.isOwn&&t.operation&&"undo_last"!==t.tool;return c`<div class="change">
<p>${this.words(e)}</p>
${s?c`<button class="button" ?disabled=${this.undoing===e.key} @click=${()=>this.undo(e)}>
Undo
</button>`:u}
<button class="icon-button small" aria-label="Dismiss" @click=${()=>this.drop(e.key)}>✕</button>
</div>`}words(e){let t=e.changes[0],s=t.isOwn?"You":t.user;if(1===e.changes.length)return`${s} ${Oe(t)}.`;let i=Te(t.entity.type)?.many.toLowerCase()??"records";return`${s} ${"undo_last"===t.tool?"took back a change of":t.action} ${e.changes.length} ${i}.`}forgetUndone(e){if("undo_last"!==e[0].tool)return;let t=new Set(e.map(e=>e.entity.id));this.shown=this.shown.filter(e=>!e.changes.every(e=>t.has(e.entity.id)))}expire(e){this.matches(":hover, :focus-within")?setTimeout(()=>this.expire(e),12e3):this.drop(e)}drop(e){this.shown=this.shown.filter(t=>t.key!==e)}async undo(e){this.undoing=e.key;try{let t=e.changes[0].operation??null;await this.desk.api.rest.POST("/api/ai/undo",{params:{header:{"Idempotency-Key":`undo.${e.key}`}},body:{operation:t}}),this.shown=this.shown.filter(t=>t.key!==e.key),this.desk.feed.poke()}catch(e){this.desk.tell(xe(e),!0)}this.undoing=""}};tt.styles=[z,Re,h`:host{position:fixed;inset-block-end:var(--aisha-4);inset-inline-start:var(--aisha-4);z-index:5;inline-size:min(440px,calc(100vw - 2 * var(--aisha-4)));pointer-events:none}aside{display:grid;gap:var(--aisha-2)}.change{display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow);pointer-events:auto}.change p{flex:1;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}`],O([m({attribute:!1})],tt.prototype,"desk",2),O([g()],tt.prototype,"shown",2),O([g()],tt.prototype,"undoing",2),tt=O([x("desk-changes")],tt);var st,it,at="u-off",nt="u-label",rt="width",lt="height",ot="bottom",dt="left",ht="right",ct="#000",ut=ct+"0",pt="mousemove",mt="mousedown",gt="mouseup",ft="mouseenter",yt="mouseleave",vt="dblclick",bt="change",wt="dppxchange",$t="--",kt=typeof window<"u",xt=kt?document:null,_t=kt?window:null,St=kt?navigator:null;function Tt(e,t){if(null!=t){let s=e.classList;!s.contains(t)&&s.add(t)}}function zt(e,t){let s=e.classList;s.contains(t)&&s.remove(t)}function Et(e,t,s){e.style[t]=s+"px"}function At(e,t,s,i){let a=xt.createElement(e);return null!=t&&Tt(a,t),s?.insertBefore(a,i),a}function Mt(e,t){return At("div",e,t)}var Ct=new WeakMap;function Dt(e,t,s,i,a){let n="translate("+t+"px,"+s+"px)";n!=Ct.get(e)&&(e.style.transform=n,Ct.set(e,n),t<0||s<0||t>i||s>a?Tt(e,at):zt(e,at))}var Lt=new WeakMap;function Nt(e,t,s){let i=t+s;i!=Lt.get(e)&&(Lt.set(e,i),e.style.background=t,e.style.borderColor=s)}var Ot=new WeakMap;function Pt(e,t,s,i){let a=t+""+s;a!=Ot.get(e)&&(Ot.set(e,a),e.style.height=s+"px",e.style.width=t+"px",e.style.marginLeft=i?-t/2+"px":0,e.style.marginTop=i?-s/2+"px":0)}var Ut={passive:!0},Rt={...Ut,capture:!0};function jt(e,t,s,i){t.addEventListener(e,s,i?Rt:Ut)}function It(e,t,s,i){t.removeEventListener(e,s,Ut)}function Wt(e,t,s,i){let a;s=s||0;let n=(i=i||t.length-1)<=2147483647;for(;i-s>1;)a=n?s+i>>1:rs((s+i)/2),t[a]<e?s=a:i=a;return e-t[s]<=t[i]-e?s:i}function Ft(e){return(t,s,i)=>{let a=-1,n=-1;for(let n=s;n<=i;n++)if(e(t[n])){a=n;break}for(let a=i;a>=s;a--)if(e(t[a])){n=a;break}return[a,n]}}kt&&function e(){let t=devicePixelRatio;st!=t&&(st=t,it&&It(bt,it,e),it=matchMedia(`(min-resolution: ${st-.001}dppx) and (max-resolution: ${st+.001}dppx)`),jt(bt,it,e),_t.dispatchEvent(new CustomEvent(wt)))}();var qt=e=>null!=e,Gt=e=>null!=e&&e>0,Ht=Ft(qt),Yt=Ft(Gt);function Bt(e,t,s,i){let a=us(e),n=us(t);e==t&&(-1==a?(e*=s,t/=s):(e/=s,t*=s));let r=10==s?ps:ms,l=1==n?os:rs,o=(1==a?rs:os)(r(ns(e))),d=l(r(ns(t))),h=cs(s,o),c=cs(s,d);return 10==s&&(o<0&&(h=Cs(h,-o)),d<0&&(c=Cs(c,-d))),i||2==s?(e=h*a,t=c*n):(e=Ms(e,h),t=As(t,c)),[e,t]}function Kt(e,t,s,i){let a=Bt(e,t,s,i);return 0==e&&(a[0]=0),0==t&&(a[1]=0),a}var Vt={mode:3,pad:.1},Jt={pad:0,soft:null,mode:0},Zt={min:Jt,max:Jt};function Xt(e,t,s,i){return Ws(s)?es(e,t,s):(Jt.pad=s,Jt.soft=i?0:null,Jt.mode=i?3:0,es(e,t,Zt))}function Qt(e,t){return e??t}function es(e,t,s){let i=s.min,a=s.max,n=Qt(i.pad,0),r=Qt(a.pad,0),l=Qt(i.hard,-fs),o=Qt(a.hard,fs),d=Qt(i.soft,fs),h=Qt(a.soft,-fs),c=Qt(i.mode,0),u=Qt(a.mode,0),p=t-e,m=ps(p),g=hs(ns(e),ns(t)),f=ps(g),y=ns(f-m);(p<1e-24||y>10)&&(p=0,(0==e||0==t)&&(p=1e-24,2==c&&d!=fs&&(n=0),2==u&&h!=-fs&&(r=0)));let v=p||g||1e3,b=ps(v),w=cs(10,rs(b)),$=Cs(Ms(e-v*(0==p?0==e?.1:1:n),w/10),24),k=e>=d&&(1==c||3==c&&$<=d||2==c&&$>=d)?d:fs,x=hs(l,$<k&&e>=k?k:ds(k,$)),_=Cs(As(t+v*(0==p?0==t?.1:1:r),w/10),24),S=t<=h&&(1==u||3==u&&_>=h||2==u&&_<=h)?h:-fs,T=ds(o,_>S&&t<=S?S:hs(S,_));return x==T&&0==x&&(T=100),[x,T]}var ts=new Intl.NumberFormat(kt?St.language:"en-US"),ss=e=>ts.format(e),is=Math,as=is.PI,ns=is.abs,rs=is.floor,ls=is.round,os=is.ceil,ds=is.min,hs=is.max,cs=is.pow,us=is.sign,ps=is.log10,ms=is.log2,gs=(e,t=1)=>is.asinh(e/t),fs=1/0;function ys(e){return 1+(0|ps((e^e>>31)-(e>>31)))}function vs(e,t,s){return ds(hs(e,t),s)}function bs(e){return"function"==typeof e}function ws(e){return bs(e)?e:()=>e}var $s=e=>e,ks=(e,t)=>t,xs=e=>null,_s=e=>!0,Ss=(e,t)=>e==t,Ts=/\.\d*?(?=9{6,}|0{6,})/gm,zs=e=>{if(js(e)||Ds.has(e))return e;let t=`${e}`,s=t.match(Ts);if(null==s)return e;let i=s[0].length-1;if(-1!=t.indexOf("e-")){let[e,s]=t.split("e");return+`${zs(e)}e${s}`}return Cs(e,i)};function Es(e,t){return zs(Cs(zs(e/t))*t)}function As(e,t){return zs(os(zs(e/t))*t)}function Ms(e,t){return zs(rs(zs(e/t))*t)}function Cs(e,t=0){if(js(e))return e;let s=10**t;return ls(e*s*(1+Number.EPSILON))/s}var Ds=new Map;function Ls(e){return((""+e).split(".")[1]||"").length}function Ns(e,t,s,i){let a=[],n=i.map(Ls);for(let r=t;r<s;r++){let t=ns(r),s=Cs(cs(e,r),t);for(let l=0;l<i.length;l++){let o=10==e?+`${i[l]}e${r}`:i[l]*s,d=(r>=0?0:t)+(r>=n[l]?0:n[l]),h=10==e?o:Cs(o,d);a.push(h),Ds.set(h,d)}}return a}var Os={},Ps=[],Us=[null,null],Rs=Array.isArray,js=Number.isInteger;function Is(e){return"string"==typeof e}function Ws(e){let t=!1;if(null!=e){let s=e.constructor;t=null==s||s==Object}return t}function Fs(e){return null!=e&&"object"==typeof e}var qs=Object.getPrototypeOf(Uint8Array),Gs="__proto__";function Hs(e,t=Ws){let s;if(Rs(e)){let i=e.find(e=>null!=e);if(Rs(i)||t(i)){s=Array(e.length);for(let i=0;i<e.length;i++)s[i]=Hs(e[i],t)}else s=e.slice()}else if(e instanceof qs)s=e.slice();else if(t(e)){s={};for(let i in e)i!=Gs&&(s[i]=Hs(e[i],t))}else s=e;return s}function Ys(e){let t=arguments;for(let s=1;s<t.length;s++){let i=t[s];for(let t in i)t!=Gs&&(Ws(e[t])?Ys(e[t],Hs(i[t])):e[t]=Hs(i[t]))}return e}function Bs(e,t,s){for(let i,a=0,n=-1;a<t.length;a++){let r=t[a];if(r>n){for(i=r-1;i>=0&&null==e[i];)e[i--]=null;for(i=r+1;i<s&&null==e[i];)e[n=i++]=null}}}var Ks=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask,Vs=["January","February","March","April","May","June","July","August","September","October","November","December"],Js=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Zs(e){return e.slice(0,3)}var Xs=Js.map(Zs),Qs=Vs.map(Zs),ei={MMMM:Vs,MMM:Qs,WWWW:Js,WWW:Xs};function ti(e){return(e<10?"0":"")+e}var si={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>ti(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>ti(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>ti(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return 0==t?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>ti(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>ti(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>(e=>(e<10?"00":e<100?"0":"")+e)(e.getMilliseconds())};function ii(e,t){t=t||ei;let s,i=[],a=/\{([a-z]+)\}|[^{]+/gi;for(;s=a.exec(e);)i.push("{"==s[0][0]?si[s[1]]:s[0]);return e=>{let s="";for(let a=0;a<i.length;a++)s+="string"==typeof i[a]?i[a]:i[a](e,t);return s}}var ai=(new Intl.DateTimeFormat).resolvedOptions().timeZone,ni=e=>e%1==0,ri=[1,2,2.5,5],li=Ns(10,-32,0,ri),oi=Ns(10,0,32,ri),di=oi.filter(ni),hi=li.concat(oi),ci="{YYYY}",ui="\n"+ci,pi="{M}/{D}",mi="\n"+pi,gi=mi+"/{YY}",fi="{aa}",yi="{h}:{mm}"+fi,vi="\n"+yi,bi=":{ss}",wi=null;function $i(e){let t=1e3*e,s=60*t,i=60*s,a=24*i,n=30*a,r=365*a;return[(1==e?Ns(10,0,3,ri).filter(ni):Ns(10,-3,0,ri)).concat([t,5*t,10*t,15*t,30*t,s,5*s,10*s,15*s,30*s,i,2*i,3*i,4*i,6*i,8*i,12*i,a,2*a,3*a,4*a,5*a,6*a,7*a,8*a,9*a,10*a,15*a,n,2*n,3*n,4*n,6*n,r,2*r,5*r,10*r,25*r,50*r,100*r]),[[r,ci,wi,wi,wi,wi,wi,wi,1],[28*a,"{MMM}",ui,wi,wi,wi,wi,wi,1],[a,pi,ui,wi,wi,wi,wi,wi,1],[i,"{h}"+fi,gi,wi,mi,wi,wi,wi,1],[s,yi,gi,wi,mi,wi,wi,wi,1],[t,bi,gi+" "+yi,wi,mi+" "+yi,wi,vi,wi,1],[e,bi+".{fff}",gi+" "+yi,wi,mi+" "+yi,wi,vi,wi,1]],t=>(l,o,d,h,c,u)=>{let p=[],m=c>=r,g=c>=n&&c<r,f=t(d),y=Cs(f*e,3),v=Mi(f.getFullYear(),m?0:f.getMonth(),g||m?1:f.getDate()),b=Cs(v*e,3);if(g||m){let s=g?c/n:0,i=m?c/r:0,a=y==b?y:Cs(Mi(v.getFullYear()+i,v.getMonth()+s,1)*e,3),l=new Date(ls(a/e)),o=l.getFullYear(),d=l.getMonth();for(let n=0;a<=h;n++){let r=Mi(o+i*n,d+s*n,1),l=r-t(Cs(r*e,3));a=Cs((+r+l)*e,3),a<=h&&p.push(a)}}else{let n=c>=a?a:c,r=b+(rs(d)-rs(y))+As(y-b,n);p.push(r);let m=t(r),g=m.getHours()+m.getMinutes()/s+m.getSeconds()/i,f=c/i,v=u/l.axes[o]._space;for(;r=Cs(r+c,1==e?0:3),!(r>h);)if(f>1){let e=rs(Cs(g+f,6))%24,s=t(r).getHours()-e;s>1&&(s=-1),r-=s*i,g=(g+f)%24,Cs((r-p[p.length-1])/c,3)*v>=.7&&p.push(r)}else p.push(r)}return p}]}var[ki,xi,_i]=$i(1),[Si,Ti,zi]=$i(.001);function Ei(e,t){return e.map(e=>e.map((s,i)=>0==i||8==i||null==s?s:t(1==i||0==e[8]?s:e[1]+s)))}function Ai(e,t){return(s,i,a,n,r)=>{let l,o,d,h,c,u,p=t.find(e=>r>=e[0])||t[t.length-1];return i.map(t=>{let s=e(t),i=s.getFullYear(),a=s.getMonth(),n=s.getDate(),r=s.getHours(),m=s.getMinutes(),g=s.getSeconds(),f=i!=l&&p[2]||a!=o&&p[3]||n!=d&&p[4]||r!=h&&p[5]||m!=c&&p[6]||g!=u&&p[7]||p[1];return l=i,o=a,d=n,h=r,c=m,u=g,f(s)})}}function Mi(e,t,s){return new Date(e,t,s)}function Ci(e,t){return t(e)}function Di(e,t){return(s,i,a,n)=>null==n?$t:t(e(i))}Ns(2,-53,53,[1]);var Li={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:(e,t)=>{let s=e.series[t];return s.width?s.stroke(e,t):s.points.width?s.points.stroke(e,t):null},fill:(e,t)=>e.series[t].fill(e,t),dash:"solid"},idx:null,idxs:null,values:[]},Ni=[0,0];function Oi(e,t,s,i=!0){return e=>{0==e.button&&(!i||e.target==t)&&s(e)}}function Pi(e,t,s,i=!0){return e=>{(!i||e.target==t)&&s(e)}}var Ui={show:!0,x:!0,y:!0,lock:!1,move:(e,t,s)=>(Ni[0]=t,Ni[1]=s,Ni),points:{one:!1,show:(e,t)=>{let s=e.cursor.points,i=Mt(),a=s.size(e,t);Et(i,rt,a),Et(i,lt,a);let n=a/-2;Et(i,"marginLeft",n),Et(i,"marginTop",n);let r=s.width(e,t,a);return r&&Et(i,"borderWidth",r),i},size:(e,t)=>e.series[t].points.size,width:0,stroke:(e,t)=>{let s=e.series[t].points;return s._stroke||s._fill},fill:(e,t)=>{let s=e.series[t].points;return s._fill||s._stroke}},bind:{mousedown:Oi,mouseup:Oi,click:Oi,dblclick:Oi,mousemove:Pi,mouseleave:Pi,mouseenter:Pi},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,s,i,a)=>i-a,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ri={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},ji=Ys({},Ri,{filter:ks}),Ii=Ys({},ji,{size:10}),Wi=Ys({},Ri,{show:!1}),Fi='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',qi="bold "+Fi,Gi={show:!0,scale:"x",stroke:ct,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:qi,side:2,grid:ji,ticks:Ii,border:Wi,font:Fi,lineGap:1.5,rotate:0},Hi={show:!0,scale:"x",auto:!1,sorted:1,min:fs,max:-fs,idxs:[]};function Yi(e,t,s,i,a){return t.map(e=>null==e?"":ss(e))}function Bi(e,t,s,i,a,n,r){let l=[],o=Ds.get(a)||0;for(let e=s=r?s:Cs(As(s,a),o);e<=i;e=Cs(e+a,o))l.push(Object.is(e,-0)?0:e);return l}function Ki(e,t,s,i,a,n,r){let l=[],o=e.scales[e.axes[t].scale].log,d=rs((10==o?ps:ms)(s));a=cs(o,d),10==o&&(a=hi[Wt(a,hi)]);let h=s,c=a*o;10==o&&(c=hi[Wt(c,hi)]);do{l.push(h),h+=a,10==o&&!Ds.has(h)&&(h=Cs(h,Ds.get(a))),h>=c&&(c=(a=h)*o,10==o&&(c=hi[Wt(c,hi)]))}while(h<=i);return l}function Vi(e,t,s,i,a,n,r){let l=e.scales[e.axes[t].scale].asinh,o=i>l?Ki(e,t,hs(l,s),i,a):[l],d=i>=0&&s<=0?[0]:[];return(s<-l?Ki(e,t,hs(l,-i),-s,a):[l]).reverse().map(e=>-e).concat(d,o)}var Ji=/./,Zi=/[12357]/,Xi=/[125]/,Qi=/1/,ea=(e,t,s,i)=>e.map((e,a)=>4==t&&0==e||a%i==0&&s.test(e.toExponential()[e<0?1:0])?e:null);function ta(e,t,s,i,a){let n=e.axes[s],r=n.scale,l=e.scales[r],o=e.valToPos,d=n._space,h=o(10,r),c=o(9,r)-h>=d?Ji:o(7,r)-h>=d?Zi:o(5,r)-h>=d?Xi:Qi;if(c==Qi){let e=ns(o(1,r)-h);if(e<d)return ea(t.slice().reverse(),l.distr,c,os(d/e)).reverse()}return ea(t,l.distr,c,1)}function sa(e,t,s,i,a){let n=e.axes[s],r=n.scale,l=n._space,o=e.valToPos,d=ns(o(1,r)-o(2,r));return d<l?ea(t.slice().reverse(),3,Ji,os(l/d)).reverse():t}function ia(e,t,s,i){return null==i?$t:null==t?"":ss(t)}var aa={show:!0,scale:"y",stroke:ct,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:qi,side:3,grid:ji,ticks:Ii,border:Wi,font:Fi,lineGap:1.5,rotate:0},na={scale:null,auto:!0,sorted:0,min:fs,max:-fs},ra=(e,t,s,i,a)=>a,la={show:!0,auto:!0,sorted:0,gaps:ra,alpha:1,facets:[Ys({},na,{scale:"x"}),Ys({},na,{scale:"y"})]},oa={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ra,alpha:1,points:{show:(e,t)=>{let{scale:s,idxs:i}=e.series[0],a=e._data[0],n=e.valToPos(a[i[0]],s,!0),r=e.valToPos(a[i[1]],s,!0),l=ns(r-n);return i[1]-i[0]<=l/(e.series[t].points.space*st)},filter:null},values:null,min:fs,max:-fs,idxs:[],path:null,clip:null};function da(e,t,s,i,a){return s/10}var ha={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},ca=Ys({},ha,{time:!1,ori:1}),ua={};function pa(e,t){let s=ua[e];return s||(s={key:e,plots:[],sub(e){s.plots.push(e)},unsub(e){s.plots=s.plots.filter(t=>t!=e)},pub(e,t,i,a,n,r,l){for(let o=0;o<s.plots.length;o++)s.plots[o]!=t&&s.plots[o].pub(e,t,i,a,n,r,l)}},null!=e&&(ua[e]=s)),s}function ma(e,t,s){let i=e.mode,a=e.series[t],n=2==i?e._data[t]:e._data,r=e.scales,l=e.bbox,o=n[0],d=2==i?n[1]:n[t],h=2==i?r[a.facets[0].scale]:r[e.series[0].scale],c=2==i?r[a.facets[1].scale]:r[a.scale],u=l.left,p=l.top,m=l.width,g=l.height,f=e.valToPosH,y=e.valToPosV;return 0==h.ori?s(a,o,d,h,c,f,y,u,p,m,g,ka,_a,Ta,Ea,Ma):s(a,o,d,h,c,y,f,p,u,g,m,xa,Sa,za,Aa,Ca)}function ga(e,t){let s=0,i=0,a=Qt(e.bands,Ps);for(let e=0;e<a.length;e++){let n=a[e];n.series[0]==t?s=n.dir:n.series[1]==t&&(i|=1==n.dir?1:2)}return[s,1==i?-1:2==i?1:3==i?2:0]}function fa(e,t,s,i,a){let n=e.series[t],r=e.scales[2==e.mode?n.facets[1].scale:n.scale];return-1==a?r.min:1==a?r.max:3==r.distr?1==r.dir?r.min:r.max:0}function ya(e,t,s,i,a,n){return ma(e,t,(e,t,r,l,o,d,h,c,u,p,m)=>{let g,f,y=e.pxRound,v=0==l.ori?_a:Sa;1==l.dir*(0==l.ori?1:-1)?(g=s,f=i):(g=i,f=s);let b=y(d(t[g],l,p,c)),w=y(h(r[g],o,m,u)),$=y(d(t[f],l,p,c)),k=y(h(1==n?o.max:o.min,o,m,u)),x=new Path2D(a);return v(x,$,k),v(x,b,k),v(x,b,w),x})}function va(e,t,s,i,a,n){let r=null;if(e.length>0){r=new Path2D;let l=0==t?Ta:za,o=s;for(let t=0;t<e.length;t++){let s=e[t];if(s[1]>s[0]){let e=s[0]-o;e>0&&l(r,o,i,e,i+n),o=s[1]}}let d=s+a-o,h=10;d>0&&l(r,o,i-h/2,d,i+n+h)}return r}function ba(e,t,s,i,a,n,r){let l=[],o=e.length;for(let d=1==a?s:i;d>=s&&d<=i;d+=a)if(null===t[d]){let h=d,c=d;if(1==a)for(;++d<=i&&null===t[d];)c=d;else for(;--d>=s&&null===t[d];)c=d;let u=n(e[h]),p=c==h?u:n(e[c]),m=h-a;u=r<=0&&m>=0&&m<o?n(e[m]):u;let g=c+a;p=r>=0&&g>=0&&g<o?n(e[g]):p,p>=u&&l.push([u,p])}return l}function wa(e){return 0==e?$s:1==e?ls:t=>Es(t,e)}function $a(e){let t=0==e?ka:xa,s=0==e?(e,t,s,i,a,n)=>{e.arcTo(t,s,i,a,n)}:(e,t,s,i,a,n)=>{e.arcTo(s,t,a,i,n)},i=0==e?(e,t,s,i,a)=>{e.rect(t,s,i,a)}:(e,t,s,i,a)=>{e.rect(s,t,a,i)};return(e,a,n,r,l,o=0,d=0)=>{0==o&&0==d?i(e,a,n,r,l):(o=ds(o,r/2,l/2),d=ds(d,r/2,l/2),t(e,a+o,n),s(e,a+r,n,a+r,n+l,o),s(e,a+r,n+l,a,n+l,d),s(e,a,n+l,a,n,d),s(e,a,n,a+r,n,o),e.closePath())}}var ka=(e,t,s)=>{e.moveTo(t,s)},xa=(e,t,s)=>{e.moveTo(s,t)},_a=(e,t,s)=>{e.lineTo(t,s)},Sa=(e,t,s)=>{e.lineTo(s,t)},Ta=$a(0),za=$a(1),Ea=(e,t,s,i,a,n)=>{e.arc(t,s,i,a,n)},Aa=(e,t,s,i,a,n)=>{e.arc(s,t,i,a,n)},Ma=(e,t,s,i,a,n,r)=>{e.bezierCurveTo(t,s,i,a,n,r)},Ca=(e,t,s,i,a,n,r)=>{e.bezierCurveTo(s,t,a,i,r,n)};function Da(e){return(e,t,s,i,a)=>ma(e,t,(t,n,r,l,o,d,h,c,u,p,m)=>{let g,f,{pxRound:y,points:v}=t;0==l.ori?(g=ka,f=Ea):(g=xa,f=Aa);let b=Cs(v.width*st,3),w=(v.size-v.width)/2*st,$=Cs(2*w,3),k=new Path2D,x=new Path2D,{left:_,top:S,width:T,height:z}=e.bbox;Ta(x,_-$,S-$,T+2*$,z+2*$);let E=e=>{if(null!=r[e]){let t=y(d(n[e],l,p,c)),s=y(h(r[e],o,m,u));g(k,t+w,s),f(k,t,s,w,0,2*as)}};if(a)a.forEach(E);else for(let e=s;e<=i;e++)E(e);return{stroke:b>0?k:null,fill:k,clip:x,flags:3}})}function La(e){return(t,s,i,a,n,r)=>{i!=a&&(n!=i&&r!=i&&e(t,s,i),n!=a&&r!=a&&e(t,s,a),e(t,s,r))}}var Na=La(_a),Oa=La(Sa);function Pa(e){let t=Qt(e?.alignGaps,0);return(e,s,i,a)=>ma(e,s,(n,r,l,o,d,h,c,u,p,m,g)=>{[i,a]=Ht(l,i,a);let f,y,v=n.pxRound,b=e=>v(h(e,o,m,u)),w=e=>v(c(e,d,g,p));0==o.ori?(f=_a,y=Na):(f=Sa,y=Oa);let $=o.dir*(0==o.ori?1:-1),k={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},x=k.stroke,_=!1;if(a-i>=4*m){let t,s,n,d=t=>e.posToVal(t,o.key,!0),h=null,c=null,u=b(r[1==$?i:a]),p=b(r[i]),m=b(r[a]),g=d(1==$?p+1:m-1);for(let e=1==$?i:a;e>=i&&e<=a;e+=$){let i=r[e],a=(1==$?i<g:i>g)?u:b(i),n=l[e];a==u?null!=n?(s=n,null==h?(f(x,a,w(s)),t=h=c=s):s<h?h=s:s>c&&(c=s)):null===n&&(_=!0):(null!=h&&y(x,u,w(h),w(c),w(t),w(s)),null!=n?(s=n,f(x,a,w(s)),h=c=t=s):(h=c=null,null===n&&(_=!0)),u=a,g=d(u+$))}null!=h&&h!=c&&n!=u&&y(x,u,w(h),w(c),w(t),w(s))}else for(let e=1==$?i:a;e>=i&&e<=a;e+=$){let t=l[e];null===t?_=!0:null!=t&&f(x,b(r[e]),w(t))}let[S,T]=ga(e,s);if(null!=n.fill||0!=S){let t=k.fill=new Path2D(x),l=w(n.fillTo(e,s,n.min,n.max,S)),o=b(r[i]),d=b(r[a]);-1==$&&([d,o]=[o,d]),f(t,d,l),f(t,o,l)}if(!n.spanGaps){let d=[];_&&d.push(...ba(r,l,i,a,$,b,t)),k.gaps=d=n.gaps(e,s,i,a,d),k.clip=va(d,o.ori,u,p,m,g)}return 0!=T&&(k.band=2==T?[ya(e,s,i,a,x,-1),ya(e,s,i,a,x,1)]:ya(e,s,i,a,x,T)),k})}function Ua(e,t,s,i,a,n,r=fs){if(e.length>1){let l=null;for(let o=0,d=1/0;o<e.length;o++)if(void 0!==t[o]){if(null!=l){let t=ns(e[o]-e[l]);t<d&&(d=t,r=ns(s(e[o],i,a,n)-s(e[l],i,a,n)))}l=o}}return r}function Ra(e,t,s,i,a,n){let r=e.length;if(r<2)return null;let l=new Path2D;if(s(l,e[0],t[0]),2==r)i(l,e[1],t[1]);else{let s=Array(r),i=Array(r-1),n=Array(r-1),o=Array(r-1);for(let s=0;s<r-1;s++)n[s]=t[s+1]-t[s],o[s]=e[s+1]-e[s],i[s]=n[s]/o[s];s[0]=i[0];for(let e=1;e<r-1;e++)0===i[e]||0===i[e-1]||i[e-1]>0!=i[e]>0?s[e]=0:(s[e]=3*(o[e-1]+o[e])/((2*o[e]+o[e-1])/i[e-1]+(o[e]+2*o[e-1])/i[e]),isFinite(s[e])||(s[e]=0));s[r-1]=i[r-2];for(let i=0;i<r-1;i++)a(l,e[i]+o[i]/3,t[i]+s[i]*o[i]/3,e[i+1]-o[i]/3,t[i+1]-s[i+1]*o[i]/3,e[i+1],t[i+1])}return l}var ja=new Set;function Ia(){for(let e of ja)e.syncRect(!0)}kt&&(jt("resize",_t,Ia),jt("scroll",_t,Ia,!0),jt(wt,_t,()=>{en.pxRatio=st}));var Wa=Pa(),Fa=Da();function qa(e,t,s,i){return(i?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,i)=>Ga(e,i,t,s))}function Ga(e,t,s,i){return Ys({},0==t?s:i,e)}function Ha(e,t,s){return null==t?Us:[t,s]}var Ya=Ha;function Ba(e,t,s){return null==t?Us:Xt(t,s,.1,!0)}function Ka(e,t,s,i){return null==t?Us:Bt(t,s,e.scales[i].log,!1)}var Va=Ka;function Ja(e,t,s,i){return null==t?Us:Kt(t,s,e.scales[i].log,!1)}var Za=Ja;function Xa(e){let t,s;return[e=e.replace(/(\d+)px/,(e,i)=>(t=ls((s=+i)*st))+"px"),t,s]}function Qa(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=Cs(e[2]*st,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function en(e,t,s){let i={mode:Qt(e.mode,1)},a=i.mode;function n(e,t,s,i){let a=t.valToPct(e);return i+s*(-1==t.dir?1-a:a)}function r(e,t,s,i){let a=t.valToPct(e);return i+s*(-1==t.dir?a:1-a)}function l(e,t,s,i){return 0==t.ori?n(e,t,s,i):r(e,t,s,i)}i.valToPosH=n,i.valToPosV=r;let o=!1;i.status=0;let d=i.root=Mt("uplot");null!=e.id&&(d.id=e.id),Tt(d,e.class),e.title&&(Mt("u-title",d).textContent=e.title);let h=At("canvas"),c=i.ctx=h.getContext("2d"),u=Mt("u-wrap",d);jt("click",u,e=>{e.target===m&&(Qs!=Vs||ei!=Js)&&si.click(i,e)},!0);let p=i.under=Mt("u-under",u);u.appendChild(h);let m=i.over=Mt("u-over",u),g=+Qt((e=Hs(e)).pxAlign,1),f=wa(g);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(i,e)||e)});let y=e.ms||.001,v=i.series=1==a?qa(e.series||[],Hi,oa,!1):((e,t)=>e.map((e,s)=>0==s?{}:Ys({},t,e)))(e.series||[null],la),b=i.axes=qa(e.axes||[],Gi,aa,!0),w=i.scales={},$=i.bands=e.bands||[];$.forEach(e=>{e.fill=ws(e.fill||null),e.dir=Qt(e.dir,-1)});let k=2==a?v[1].facets[0].scale:v[0].scale,x={axes:()=>{for(let e=0;e<b.length;e++){let t=b[e];if(!t.show||!t._show)continue;let s,a,n=t.side,r=n%2,o=t.stroke(i,e),d=0==n||3==n?-1:1,[h,u]=t._found;if(null!=t.label){let l=ls((t._lpos+t.labelGap*d)*st);kt(t.labelFont[0],o,"center",2==n?"top":ot),c.save(),1==r?(s=a=0,c.translate(l,ls(me+fe/2)),c.rotate((3==n?-as:as)/2)):(s=ls(pe+ge/2),a=l);let p=bs(t.label)?t.label(i,e,h,u):t.label;c.fillText(p,s,a),c.restore()}if(0==u)continue;let p=w[t.scale],m=0==r?ge:fe,g=0==r?pe:me,y=t._splits,v=2==p.distr?y.map(e=>et[e]):y,$=2==p.distr?et[y[1]]-et[y[0]]:h,k=t.ticks,x=t.border,_=k.show?k.size:0,S=ls(_*st),T=ls((2==t.alignTo?t._size-_-t.gap:t.gap)*st),z=t._rotate*-as/180,E=f(t._pos*st),A=E+(S+T)*d;a=0==r?A:0,s=1==r?A:0,kt(t.font[0],o,1==t.align?dt:2==t.align?ht:z>0?dt:z<0?ht:0==r?"center":3==n?ht:dt,z||1==r?"middle":2==n?"top":ot);let M=t.font[1]*t.lineGap,C=y.map(e=>f(l(e,p,m,g))),D=t._values;for(let e=0;e<D.length;e++){let t=D[e];if(null!=t){0==r?s=C[e]:a=C[e],t=""+t;let i=-1==t.indexOf("\n")?[t]:t.split(/\n/gm);for(let e=0;e<i.length;e++){let t=i[e];z?(c.save(),c.translate(s,a+e*M),c.rotate(z),c.fillText(t,0,0),c.restore()):c.fillText(t,s,a+e*M)}}}k.show&&Zt(C,k.filter(i,v,e,u,$),r,n,E,S,Cs(k.width*st,3),k.stroke(i,e),k.dash,k.cap);let L=t.grid;L.show&&Zt(C,L.filter(i,v,e,u,$),r,0==r?2:1,0==r?me:pe,0==r?fe:ge,Cs(L.width*st,3),L.stroke(i,e),L.dash,L.cap),x.show&&Zt([E],[1],0==r?1:0,0==r?1:2,1==r?me:pe,1==r?fe:ge,Cs(x.width*st,3),x.stroke(i,e),x.dash,x.cap)}ga("drawAxes")},series:()=>{if(Re>0){let e=v.some(e=>e._focus)&&Ke!=Ee.alpha;e&&(c.globalAlpha=Ke=Ee.alpha),v.forEach((e,s)=>{if(s>0&&e.show&&(Lt(s,!1),Lt(s,!0),null==e._paths)){let n=Ke;Ke!=e.alpha&&(c.globalAlpha=Ke=e.alpha);let r=2==a?[0,t[s][0].length-1]:(e=>{let t=vs(Ze-1,0,Re-1),s=vs(Xe+1,0,Re-1);for(;null==e[t]&&t>0;)t--;for(;null==e[s]&&s<Re-1;)s++;return[t,s]})(t[s]);e._paths=e.paths(i,s,r[0],r[1]),Ke!=n&&(c.globalAlpha=Ke=n)}}),v.forEach((e,t)=>{if(t>0&&e.show){let s=Ke;Ke!=e.alpha&&(c.globalAlpha=Ke=e.alpha),null!=e._paths&&Ot(t,!1);{let s=null!=e._paths?e._paths.gaps:null,a=e.points.show(i,t,Ze,Xe,s),n=e.points.filter(i,t,a,s);(a||n)&&(e.points._paths=e.points.paths(i,t,Ze,Xe,n),Ot(t,!0))}Ke!=s&&(c.globalAlpha=Ke=s),ga("drawSeries",t)}}),e&&(c.globalAlpha=Ke=1)}}},_=(e.drawOrder||["axes","series"]).map(e=>x[e]);function S(e){let t=3==e.distr?t=>ps(t>0?t:e.clamp(i,t,e.min,e.max,e.key)):4==e.distr?t=>gs(t,e.asinh):100==e.distr?t=>e.fwd(t):e=>e;return s=>{let i=t(s),{_min:a,_max:n}=e;return(i-a)/(n-a)}}function T(t){let s=w[t];if(null==s){let i=(e.scales||Os)[t]||Os;if(null!=i.from){T(i.from);let e=Ys({},w[i.from],i,{key:t});e.valToPct=S(e),w[t]=e}else{s=w[t]=Ys({},t==k?ha:ca,i),s.key=t;let e=s.time,n=s.range,r=Rs(n);if((t!=k||2==a&&!e)&&(r&&(null==n[0]||null==n[1])&&(n={min:null==n[0]?Vt:{mode:1,hard:n[0],soft:n[0]},max:null==n[1]?Vt:{mode:1,hard:n[1],soft:n[1]}},r=!1),!r&&Ws(n))){let e=n;n=(t,s,i)=>null==s?Us:Xt(s,i,e)}s.range=ws(n||(e?Ya:t==k?3==s.distr?Va:4==s.distr?Za:Ha:3==s.distr?Ka:4==s.distr?Ja:Ba)),s.auto=ws(!r&&s.auto),s.clamp=ws(s.clamp||da),s._min=s._max=null,s.valToPct=S(s)}}}T("x"),T("y"),1==a&&v.forEach(e=>{T(e.scale)}),b.forEach(e=>{T(e.scale)});for(let t in e.scales)T(t);let z,E,A=w[k],M=A.distr;0==A.ori?(Tt(d,"u-hz"),z=n,E=r):(Tt(d,"u-vt"),z=r,E=n);let C={};for(let e in w){let t=w[e];(null!=t.min||null!=t.max)&&(C[e]={min:t.min,max:t.max},t.min=t.max=null)}let D=e.tzDate||(e=>new Date(ls(e/y))),L=e.fmtDate||ii,N=1==y?_i(D):zi(D),O=Ai(D,Ei(1==y?xi:Ti,L)),P=Di(D,Ci("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",L)),U=[],R=i.legend=Ys({},Li,e.legend),j=i.cursor=Ys({},Ui,{drag:{y:2==a}},e.cursor),I=R.show,W=j.show,F=R.markers;R.idxs=U,F.width=ws(F.width),F.dash=ws(F.dash),F.stroke=ws(F.stroke),F.fill=ws(F.fill);let q,G,H,Y,B=[],K=[],V=!1,J={};if(R.live){let e=v[1]?v[1].values:null;V=null!=e,Y=V?e(i,1,0):{_:0};for(let e in Y)J[e]=$t}if(I)if(q=At("table","u-legend",d),H=At("tbody",null,q),R.mount(i,q),V){G=At("thead",null,q,H);let e=At("tr",null,G);for(var Z in At("th",null,e),Y)At("th",nt,e).textContent=Z}else Tt(q,"u-inline"),R.live&&Tt(q,"u-live");let X={show:!0},Q={show:!1},ee=new Map;function te(e,t,s,a=!0){let n=ee.get(t)||{},r=j.bind[e](i,t,s,a);r&&(jt(e,t,n[e]=r),ee.set(t,n))}function se(e,t,s){let i=ee.get(t)||{};for(let s in i)(null==e||s==e)&&(It(s,t,i[s]),delete i[s]);null==e&&ee.delete(t)}let ie=0,ae=0,ne=0,re=0,le=0,oe=0,de=le,he=oe,ce=ne,ue=re,pe=0,me=0,ge=0,fe=0;i.bbox={};let ye=!1,ve=!1,be=!1,we=!1,$e=!1,ke=!1;function xe(e,t,s){(s||e!=i.width||t!=i.height)&&_e(e,t),ss(!1),be=!0,ve=!0,Ts()}function _e(e,t){i.width=ie=ne=e,i.height=ae=re=t,le=oe=0,(()=>{let e=!1,t=!1,s=!1,i=!1;b.forEach((a,n)=>{if(a.show&&a._show){let{side:n,_size:r}=a,l=r+(null!=a.label?a.labelSize:0);l>0&&(n%2?(ne-=l,3==n?(le+=l,i=!0):s=!0):(re-=l,0==n?(oe+=l,e=!0):t=!0))}}),Pe[0]=e,Pe[1]=s,Pe[2]=t,Pe[3]=i,ne-=Je[1]+Je[3],le+=Je[3],re-=Je[2]+Je[0],oe+=Je[0]})(),(()=>{let e=le+ne,t=oe+re,s=le,i=oe;function a(a,n){switch(a){case 1:return e+=n,e-n;case 2:return t+=n,t-n;case 3:return s-=n,s+n;case 0:return i-=n,i+n}}b.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=a(t,e._size),null!=e.label&&(e._lpos=a(t,e.labelSize))}})})();let s=i.bbox;pe=s.left=Es(le*st,.5),me=s.top=Es(oe*st,.5),ge=s.width=Es(ne*st,.5),fe=s.height=Es(re*st,.5)}let Se=3;if(i.setSize=({width:e,height:t})=>{xe(e,t)},null==j.dataIdx){let e=j.hover,s=e.skip=new Set(e.skip??[]);s.add(void 0);let i=e.prox=ws(e.prox),a=e.bias??=0;j.dataIdx=(e,n,r,l)=>{if(0==n)return r;let o=r,d=i(e,n,r,l)??fs,h=d>=0&&d<fs,c=0==A.ori?ne:re,u=j.left,p=t[0],m=t[n];if(s.has(m[r])){o=null;let e,t=null,i=null;if(0==a||-1==a)for(e=r;null==t&&e-- >0;)s.has(m[e])||(t=e);if(0==a||1==a)for(e=r;null==i&&e++<m.length;)s.has(m[e])||(i=e);if(null!=t||null!=i)if(h){let e=u-(null==t?-1/0:z(p[t],A,c,0)),s=(null==i?1/0:z(p[i],A,c,0))-u;e<=s?e<=d&&(o=t):s<=d&&(o=i)}else o=null==i?t:null==t?i:r-t<=i-r?t:i}else h&&ns(u-z(p[r],A,c,0))>d&&(o=null);return o}}let Te=e=>{j.event=e};j.idxs=U,j._lock=!1;let ze=j.points;ze.show=ws(ze.show),ze.size=ws(ze.size),ze.stroke=ws(ze.stroke),ze.width=ws(ze.width),ze.fill=ws(ze.fill);let Ee=i.focus=Ys({},e.focus||{alpha:.3},j.focus),Ae=Ee.prox>=0,Me=Ae&&ze.one,Ce=[],De=[],Le=[];function Ne(e,t){let s=ze.show(i,t);if(s instanceof HTMLElement)return Tt(s,"u-cursor-pt"),Tt(s,e.class),Dt(s,-10,-10,ne,re),m.insertBefore(s,Ce[t]),s}function Oe(e,t){if(1==a||t>0){let t=1==a&&w[e.scale].time,s=e.value;e.value=t?Is(s)?Di(D,Ci(s,L)):s||P:s||ia,e.label=e.label||(t?"Time":"Value")}if(Me||t>0){e.width=e.width??1,e.paths=e.paths||Wa||xs,e.fillTo=ws(e.fillTo||fa),e.pxAlign=+Qt(e.pxAlign,g),e.pxRound=wa(e.pxAlign),e.stroke=ws(e.stroke||null),e.fill=ws(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=(e=>Cs(1*(3+2*(e||1)),3))(hs(1,e.width)),s=e.points=Ys({},{size:t,width:hs(1,.2*t),stroke:e.stroke,space:2*t,paths:Fa,_stroke:null,_fill:null},e.points);s.show=ws(s.show),s.filter=ws(s.filter),s.fill=ws(s.fill),s.stroke=ws(s.stroke),s.paths=ws(s.paths),s.pxAlign=e.pxAlign}if(I){let s=((e,t)=>{if(0==t&&(V||!R.live||2==a))return Us;let s=[],n=At("tr","u-series",H,H.childNodes[t]);Tt(n,e.class),e.show||Tt(n,at);let r=At("th",null,n);if(F.show){let e=Mt("u-marker",r);if(t>0){let s=F.width(i,t);s&&(e.style.border=s+"px "+F.dash(i,t)+" "+F.stroke(i,t)),e.style.background=F.fill(i,t)}}let l=Mt(nt,r);for(var o in e.label instanceof HTMLElement?l.appendChild(e.label):l.textContent=e.label,t>0&&(F.show||(l.style.color=e.width>0?F.stroke(i,t):F.fill(i,t)),te("click",r,t=>{if(j._lock)return;Te(t);let s=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=R.isolate){let e=v.some((e,t)=>t>0&&t!=s&&e.show);v.forEach((t,i)=>{i>0&&ui(i,e?i==s?X:Q:X,!0,va.setSeries)})}else ui(s,{show:!e.show},!0,va.setSeries)},!1),Ae&&te(ft,r,t=>{j._lock||(Te(t),ui(v.indexOf(e),fi,!0,va.setSeries))},!1)),Y){let e=At("td","u-value",n);e.textContent="--",s.push(e)}return[n,s]})(e,t);B.splice(t,0,s[0]),K.splice(t,0,s[1]),R.values.push(null)}if(W){U.splice(t,0,null);let s=null;Me?0==t&&(s=Ne(e,t)):t>0&&(s=Ne(e,t)),Ce.splice(t,0,s),De.splice(t,0,0),Le.splice(t,0,0)}ga("addSeries",t)}i.addSeries=(e,t)=>{t=t??v.length,e=1==a?Ga(e,t,Hi,oa):Ga(e,t,{},la),v.splice(t,0,e),Oe(v[t],t)},i.delSeries=e=>{if(v.splice(e,1),I){R.values.splice(e,1),K.splice(e,1);let t=B.splice(e,1)[0];se(null,t.firstChild),t.remove()}W&&(U.splice(e,1),Ce.splice(e,1)[0].remove(),De.splice(e,1),Le.splice(e,1)),ga("delSeries",e)};let Pe=[!1,!1,!1,!1];function Ue(e,t,s,i){let[a,n,r,l]=s,o=t%2,d=0;return 0==o&&(l||n)&&(d=0==t&&!a||2==t&&!r?ls(Gi.size/3):0),1==o&&(a||r)&&(d=1==t&&!n||3==t&&!l?ls(aa.size/2):0),d}let Re,je,Ie,We,Fe,qe,Ge,He,Ye,Be,Ke,Ve=i.padding=(e.padding||[Ue,Ue,Ue,Ue]).map(e=>ws(Qt(e,Ue))),Je=i._padding=Ve.map((e,t)=>e(i,t,Pe,0)),Ze=null,Xe=null,Qe=1==a?v[0].idxs:null,et=null,tt=!1;function it(e,s){if(i.data=i._data=t=e??[],2==a){Re=0;for(let e=1;e<v.length;e++)Re+=t[e][0].length}else{0==t.length&&(i.data=i._data=t=[[]]),et=t[0],Re=et.length;let e=t;if(2==M){e=t.slice();let s=e[0]=Array(Re);for(let e=0;e<Re;e++)s[e]=e}i._data=t=e}if(ss(!0),ga("setData"),2==M&&(be=!0),!1!==s){let e=A;e.auto(i,tt)?ct():ci(k,e.min,e.max),we=we||j.left>=0,ke=!0,Ts()}}function ct(){let e,s;tt=!0,1==a&&(Re>0?(Ze=Qe[0]=0,Xe=Qe[1]=Re-1,e=t[0][Ze],s=t[0][Xe],2==M?(e=Ze,s=Xe):e==s&&(3==M?[e,s]=Bt(e,e,A.log,!1):4==M?[e,s]=Kt(e,e,A.log,!1):A.time?s=e+ls(86400/y):[e,s]=Xt(e,s,.1,!0))):(Ze=Qe[0]=e=null,Xe=Qe[1]=s=null)),ci(k,e,s)}function bt(e,t,s,i,a,n){e??=ut,s??=Ps,i??="butt",a??=ut,n??="round",e!=je&&(c.strokeStyle=je=e),a!=Ie&&(c.fillStyle=Ie=a),t!=We&&(c.lineWidth=We=t),n!=qe&&(c.lineJoin=qe=n),i!=Ge&&(c.lineCap=Ge=i),s!=Fe&&c.setLineDash(Fe=s)}function kt(e,t,s,i){t!=Ie&&(c.fillStyle=Ie=t),e!=He&&(c.font=He=e),s!=Ye&&(c.textAlign=Ye=s),i!=Be&&(c.textBaseline=Be=i)}function St(e,t,s,a,n=0){if(a.length>0&&e.auto(i,tt)&&(null==t||null==t.min)){let t=Qt(Ze,0),i=Qt(Xe,a.length-1),r=null==s.min?((e,t,s,i=0,a=!1)=>{let n=a?Yt:Ht,r=a?Gt:qt;[t,s]=n(e,t,s);let l=e[t],o=e[t];if(t>-1)if(1==i)l=e[t],o=e[s];else if(-1==i)l=e[s],o=e[t];else for(let i=t;i<=s;i++){let t=e[i];r(t)&&(t<l?l=t:t>o&&(o=t))}return[l??fs,o??-fs]})(a,t,i,n,3==e.distr):[s.min,s.max];e.min=ds(e.min,s.min=r[0]),e.max=hs(e.max,s.max=r[1])}}i.setData=it;let Ct={min:null,max:null};function Lt(e,t){let s=t?v[e].points:v[e];s._stroke=s.stroke(i,e),s._fill=s.fill(i,e)}function Ot(e,s){let a=s?v[e].points:v[e],{stroke:n,fill:r,clip:l,flags:o,_stroke:d=a._stroke,_fill:h=a._fill,_width:u=a.width}=a._paths;u=Cs(u*st,3);let p=null,m=u%2/2;s&&null==h&&(h=u>0?"#fff":d);let g=1==a.pxAlign&&m>0;if(g&&c.translate(m,m),!s){let e=pe-u/2,t=me-u/2,s=ge+u,i=fe+u;p=new Path2D,p.rect(e,t,s,i)}s?Rt(d,u,a.dash,a.cap,h,n,r,o,l):((e,s,a,n,r,l,o,d,h,c,u)=>{let p=!1;0!=h&&$.forEach((m,g)=>{if(m.series[0]==e){let e=v[m.series[1]],f=t[m.series[1]],y=(e._paths||Os).band;Rs(y)&&(y=1==m.dir?y[0]:y[1]);let b,w=null;e.show&&y&&((e,t,s)=>{for(t=Qt(t,0),s=Qt(s,e.length-1);t<=s;){if(null!=e[t])return!0;t++}return!1})(f,Ze,Xe)?(w=m.fill(i,g)||l,b=e._paths.clip):y=null,Rt(s,a,n,r,w,o,d,h,c,u,b,y),p=!0}}),p||Rt(s,a,n,r,l,o,d,h,c,u)})(e,d,u,a.dash,a.cap,h,n,r,o,p,l),g&&c.translate(-m,-m)}let Ut=3;function Rt(e,t,s,i,a,n,r,l,o,d,h,u){bt(e,t,s,i,a),(o||d||u)&&(c.save(),o&&c.clip(o),d&&c.clip(d)),u?(l&Ut)==Ut?(c.clip(u),h&&c.clip(h),Jt(a,r),Ft(e,n,t)):2&l?(Jt(a,r),c.clip(u),Ft(e,n,t)):1&l&&(c.save(),c.clip(u),h&&c.clip(h),Jt(a,r),c.restore(),Ft(e,n,t)):(Jt(a,r),Ft(e,n,t)),(o||d||u)&&c.restore()}function Ft(e,t,s){s>0&&(t instanceof Map?t.forEach((e,t)=>{c.strokeStyle=je=t,c.stroke(e)}):null!=t&&e&&c.stroke(t))}function Jt(e,t){t instanceof Map?t.forEach((e,t)=>{c.fillStyle=Ie=t,c.fill(e)}):null!=t&&e&&c.fill(t)}function Zt(e,t,s,i,a,n,r,l,o,d){let h=r%2/2;1==g&&c.translate(h,h),bt(l,r,o,d,l),c.beginPath();let u,p,m,f,y=a+(0==i||3==i?-n:n);0==s?(p=a,f=y):(u=a,m=y);for(let i=0;i<e.length;i++)null!=t[i]&&(0==s?u=m=e[i]:p=f=e[i],c.moveTo(u,p),c.lineTo(m,f));c.stroke(),1==g&&c.translate(-h,-h)}function es(e){let t=!0;return b.forEach((s,a)=>{if(!s.show)return;let n=w[s.scale];if(null==n.min)return void(s._show&&(t=!1,s._show=!1,ss(!1)));s._show||(t=!1,s._show=!0,ss(!1));let r=s.side,l=r%2,{min:o,max:d}=n,[h,c]=((e,t,s,a)=>{let n,r=b[e];if(a<=0)n=[0,0];else{let l=r._space=r.space(i,e,t,s,a);n=((e,t,s,i,a)=>{let n=hs(ys(e),ys(t)),r=t-e,l=Wt(a/i*r,s);do{let e=s[l],t=i*e/r;if(t>=a&&n+(e<5?Ds.get(e):0)<=17)return[e,t]}while(++l<s.length);return[0,0]})(t,s,r._incrs=r.incrs(i,e,t,s,a,l),a,l)}return r._found=n})(a,o,d,0==l?ne:re);if(0==c)return;let u=s._splits=s.splits(i,a,o,d,h,c,2==n.distr),p=2==n.distr?u.map(e=>et[e]):u,m=2==n.distr?et[u[1]]-et[u[0]]:h,g=s._values=s.values(i,s.filter(i,p,a,c,m),a,c,m);s._rotate=2==r?s.rotate(i,g,a,c):0;let f=s._size;s._size=os(s.size(i,g,a,e)),null!=f&&s._size!=f&&(t=!1)}),t}function ts(e){let t=!0;return Ve.forEach((s,a)=>{let n=s(i,a,Pe,e);n!=Je[a]&&(t=!1),Je[a]=n}),t}function ss(e){v.forEach((t,s)=>{s>0&&(t._paths=null,e&&(1==a?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let rs=!1,us=!1,ms=[];function $s(){us=!1;for(let e=0;e<ms.length;e++)ga(...ms[e]);ms.length=0}function Ts(){rs||(Ks(zs),rs=!0)}function zs(){if(ye&&((()=>{for(let e in w){let t=w[e];null==C[e]&&(null==t.min||null!=C[k]&&t.auto(i,tt))&&(C[e]=Ct)}for(let e in w){let t=w[e];null==C[e]&&null!=t.from&&null!=C[t.from]&&(C[e]=Ct)}null!=C[k]&&ss(!0);let e={};for(let t in C){let s=C[t];if(null!=s){let n=e[t]=Hs(w[t],Fs);if(null!=s.min)Ys(n,s);else if(t!=k||2==a)if(0==Re&&null==n.from){let e=n.range(i,null,null,t);n.min=e[0],n.max=e[1]}else n.min=fs,n.max=-fs}}if(Re>0){v.forEach((s,n)=>{if(1==a){let a=s.scale,r=C[a];if(null==r)return;let l=e[a];if(0==n){let e=l.range(i,l.min,l.max,a);l.min=e[0],l.max=e[1],Ze=Wt(l.min,t[0]),Xe=Wt(l.max,t[0]),Xe-Ze>1&&(t[0][Ze]<l.min&&Ze++,t[0][Xe]>l.max&&Xe--),s.min=et[Ze],s.max=et[Xe]}else s.show&&s.auto&&St(l,r,s,t[n],s.sorted);s.idxs[0]=Ze,s.idxs[1]=Xe}else if(n>0&&s.show&&s.auto){let[i,a]=s.facets,r=i.scale,l=a.scale,[o,d]=t[n],h=e[r],c=e[l];null!=h&&St(h,C[r],i,o,i.sorted),null!=c&&St(c,C[l],a,d,a.sorted),s.min=a.min,s.max=a.max}});for(let t in e){let s=e[t],a=C[t];if(null==s.from&&(null==a||null==a.min)){let e=s.range(i,s.min==fs?null:s.min,s.max==-fs?null:s.max,t);s.min=e[0],s.max=e[1]}}}for(let t in e){let s=e[t];if(null!=s.from){let a=e[s.from];if(null==a.min)s.min=s.max=null;else{let e=s.range(i,a.min,a.max,t);s.min=e[0],s.max=e[1]}}}let s={},n=!1;for(let t in e){let i=e[t],a=w[t];if(a.min!=i.min||a.max!=i.max){a.min=i.min,a.max=i.max;let e=a.distr;a._min=3==e?ps(a.min):4==e?gs(a.min,a.asinh):100==e?a.fwd(a.min):a.min,a._max=3==e?ps(a.max):4==e?gs(a.max,a.asinh):100==e?a.fwd(a.max):a.max,s[t]=n=!0}}if(n){v.forEach((e,t)=>{2==a?t>0&&s.y&&(e._paths=null):s[e.scale]&&(e._paths=null)});for(let e in s)be=!0,ga("setScale",e);W&&j.left>=0&&(we=ke=!0)}for(let e in C)C[e]=null})(),ye=!1),be&&((()=>{let e=!1,t=0;for(;!e;){t++;let s=es(t),a=ts(t);e=t==Se||s&&a,e||(_e(i.width,i.height),ve=!0)}})(),be=!1),ve){if(Et(p,dt,le),Et(p,"top",oe),Et(p,rt,ne),Et(p,lt,re),Et(m,dt,le),Et(m,"top",oe),Et(m,rt,ne),Et(m,lt,re),Et(u,rt,ie),Et(u,lt,ae),h.width=ls(ie*st),h.height=ls(ae*st),b.forEach(({_el:e,_show:t,_size:s,_pos:i,side:a})=>{if(null!=e)if(t){let t=a%2==1;Et(e,t?"left":"top",i-(3===a||0===a?s:0)),Et(e,t?"width":"height",s),Et(e,t?"top":"left",t?oe:le),Et(e,t?"height":"width",t?re:ne),zt(e,at)}else Tt(e,at)}),je=Ie=We=qe=Ge=He=Ye=Be=Fe=null,Ke=1,Ri(!0),le!=de||oe!=he||ne!=ce||re!=ue){ss(!1);let e=ne/ce,t=re/ue;if(W&&!we&&j.left>=0){j.left*=e,j.top*=t,js&&Dt(js,ls(j.left),0,ne,re),qs&&Dt(qs,0,ls(j.top),ne,re);for(let s=0;s<Ce.length;s++){let i=Ce[s];null!=i&&(De[s]*=e,Le[s]*=t,Dt(i,os(De[s]),os(Le[s]),ne,re))}}if(ri.show&&!$e&&ri.left>=0&&ri.width>0){ri.left*=e,ri.width*=e,ri.top*=t,ri.height*=t;for(let e in Zi)Et(li,e,ri[e])}de=le,he=oe,ce=ne,ue=re}ga("setSize"),ve=!1}ie>0&&ae>0&&(c.clearRect(0,0,h.width,h.height),ga("drawClear"),_.forEach(e=>e()),ga("draw")),ri.show&&$e&&(oi(ri),$e=!1),W&&we&&(Oi(null,!0,!1),we=!1),R.show&&R.live&&ke&&(Mi(),ke=!1),o||(o=!0,i.status=1,ga("ready")),tt=!1,rs=!1}function As(e,s){let a=w[e];if(null==a.from){if(0==Re){let t=a.range(i,s.min,s.max,e);s.min=t[0],s.max=t[1]}if(s.min>s.max){let e=s.min;s.min=s.max,s.max=e}if(Re>1&&null!=s.min&&null!=s.max&&s.max-s.min<1e-16)return;e==k&&2==a.distr&&Re>0&&(s.min=Wt(s.min,t[0]),s.max=Wt(s.max,t[0]),s.min==s.max&&s.max++),C[e]=s,ye=!0,Ts()}}i.batch=(e,t=!1)=>{rs=!0,us=t,e(i),zs(),t&&ms.length>0&&queueMicrotask($s)},i.redraw=(e,t)=>{be=t||!1,!1!==e?ci(k,A.min,A.max):Ts()},i.setScale=As;let Ms,Ns,js,qs,Gs,Bs,Vs,Js,Zs,Xs,Qs,ei,ti=!1,si=j.drag,ai=si.x,ni=si.y;W&&(j.x&&(Ms=Mt("u-cursor-x",m)),j.y&&(Ns=Mt("u-cursor-y",m)),0==A.ori?(js=Ms,qs=Ns):(js=Ns,qs=Ms),Qs=j.left,ei=j.top);let ri=i.select=Ys({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),li=ri.show?Mt("u-select",ri.over?m:p):null;function oi(e,t){if(ri.show){for(let t in e)ri[t]=e[t],t in Zi&&Et(li,t,e[t]);!1!==t&&ga("setSelect")}}function ci(e,t,s){As(e,{min:t,max:s})}function ui(e,t,s,n){null!=t.focus&&(e=>{if(e!=gi){let t=null==e,s=1!=Ee.alpha;v.forEach((i,n)=>{if(1==a||n>0){let a=t||0==n||n==e;i._focus=t?null:a,s&&((e,t)=>{v[e].alpha=t,W&&null!=Ce[e]&&(Ce[e].style.opacity=t),I&&B[e]&&(B[e].style.opacity=t)})(n,a?1:Ee.alpha)}}),gi=e,s&&Ts()}})(e),null!=t.show&&v.forEach((s,i)=>{i>0&&(e==i||null==e)&&(s.show=t.show,(e=>{if(v[e].show)I&&zt(B[e],at);else if(I&&Tt(B[e],at),W){let t=Me?Ce[0]:Ce[e];null!=t&&Dt(t,-10,-10,ne,re)}})(i),2==a?(ci(s.facets[0].scale,null,null),ci(s.facets[1].scale,null,null)):ci(s.scale,null,null),Ts())}),!1!==s&&ga("setSeries",e,t),n&&ka("setSeries",i,e,t)}i.setSelect=oi,i.setSeries=ui,i.addBand=(e,t)=>{e.fill=ws(e.fill||null),e.dir=Qt(e.dir,-1),$.splice(t=t??$.length,0,e)},i.setBand=(e,t)=>{Ys($[e],t)},i.delBand=e=>{null==e?$.length=0:$.splice(e,1)};let pi,mi,gi,fi={focus:!0};function yi(e,t,s){let i=w[t];s&&(e=e/st-(1==i.ori?oe:le));let a=ne;1==i.ori&&(a=re,e=a-e),-1==i.dir&&(e=a-e);let n=i._min,r=n+e/a*(i._max-n),l=i.distr;return 3==l?cs(10,r):4==l?((e,t=1)=>is.sinh(e)*t)(r,i.asinh):100==l?i.bwd(r):r}function vi(e,t){Et(li,dt,ri.left=e),Et(li,rt,ri.width=t)}function bi(e,t){Et(li,"top",ri.top=e),Et(li,lt,ri.height=t)}I&&Ae&&te(yt,q,e=>{j._lock||(Te(e),null!=gi&&ui(null,fi,!0,va.setSeries))}),i.valToIdx=e=>Wt(e,t[0]),i.posToIdx=(e,s)=>Wt(yi(e,k,s),t[0],Ze,Xe),i.posToVal=yi,i.valToPos=(e,t,s)=>0==w[t].ori?n(e,w[t],s?ge:ne,s?pe:0):r(e,w[t],s?fe:re,s?me:0),i.setCursor=(e,t,s)=>{Qs=e.left,ei=e.top,Oi(null,t,s)};let wi=0==A.ori?vi:bi,$i=1==A.ori?vi:bi;function Mi(e,t){if(null!=e&&(e.idxs?e.idxs.forEach((e,t)=>{U[t]=e}):(e=>void 0===e)(e.idx)||U.fill(e.idx),R.idx=U[0]),I&&R.live){for(let e=0;e<v.length;e++)(e>0||1==a&&!V)&&Ni(e,U[e]);(()=>{if(I&&R.live)for(let e=2==a?1:0;e<v.length;e++){if(0==e&&V)continue;let t=R.values[e],s=0;for(let i in t)K[e][s++].firstChild.nodeValue=t[i]}})()}ke=!1,!1!==t&&ga("setLegend")}function Ni(e,s){let a,n=v[e],r=0==e&&2==M?et:t[e];V?a=n.values(i,e,s)??J:(a=n.value(i,null==s?null:r[s],e,s),a=null==a?J:{_:a}),R.values[e]=a}function Oi(e,s,n){let r;Zs=Qs,Xs=ei,[Qs,ei]=j.move(i,Qs,ei),j.left=Qs,j.top=ei,W&&(js&&Dt(js,ls(Qs),0,ne,re),qs&&Dt(qs,0,ls(ei),ne,re)),pi=fs,mi=null;let l=0==A.ori?ne:re,o=1==A.ori?ne:re;if(Qs<0||0==Re||Ze>Xe){r=j.idx=null;for(let e=0;e<v.length;e++){let t=Ce[e];null!=t&&Dt(t,-10,-10,ne,re)}Ae&&ui(null,fi,!0,null==e&&va.setSeries),R.live&&(U.fill(r),ke=!0)}else{let e,s,n;1==a&&(e=0==A.ori?Qs:ei,s=yi(e,k),r=j.idx=Wt(s,t[0],Ze,Xe),n=z(t[0][r],A,l,0));let d=-10,h=-10,c=0,u=0,p=!0,m="",g="";for(let e=2==a?1:0;e<v.length;e++){let f=v[e],y=U[e],b=null==y?null:1==a?t[e][y]:t[e][1][y],$=j.dataIdx(i,e,r,s),k=null==$?null:1==a?t[e][$]:t[e][1][$];if(ke=ke||k!=b||$!=y,U[e]=$,e>0&&f.show){let s=null==$?-10:$==r?n:z(1==a?t[0][$]:t[e][0][$],A,l,0),y=null==k?-10:E(k,1==a?w[f.scale]:w[f.facets[1].scale],o,0);if(Ae&&null!=k){let t=1==A.ori?Qs:ei,s=ns(Ee.dist(i,e,$,y,t));if(s<pi){let i=Ee.bias;if(0!=i){let a=yi(t,f.scale),n=a>=0?1:-1;n==(k>=0?1:-1)&&(1==n?1==i?k>=a:k<=a:1==i?k<=a:k>=a)&&(pi=s,mi=e)}else pi=s,mi=e}}if(ke||Me){let t,a;0==A.ori?(t=s,a=y):(t=y,a=s);let n,r,l,o,f,v,b=!0,w=ze.bbox;if(null!=w){b=!1;let t=w(i,e);l=t.left,o=t.top,n=t.width,r=t.height}else l=t,o=a,n=r=ze.size(i,e);if(v=ze.fill(i,e),f=ze.stroke(i,e),Me)e==mi&&pi<=Ee.prox&&(d=l,h=o,c=n,u=r,p=b,m=v,g=f);else{let t=Ce[e];null!=t&&(De[e]=l,Le[e]=o,Pt(t,n,r,b),Nt(t,v,f),Dt(t,os(l),os(o),ne,re))}}}}if(Me){let e=Ee.prox;if(ke||(null==gi?pi<=e:pi>e||mi!=gi)){let e=Ce[0];null!=e&&(De[0]=d,Le[0]=h,Pt(e,c,u,p),Nt(e,m,g),Dt(e,os(d),os(h),ne,re))}}}if(ri.show&&ti)if(null!=e){let[t,s]=va.scales,[i,a]=va.match,[n,r]=e.cursor.sync.scales,d=e.cursor.drag;if(ai=d._x,ni=d._y,ai||ni){let d,h,c,u,p,{left:m,top:g,width:f,height:y}=e.select,v=e.scales[n].ori,b=e.posToVal,$=null!=t&&i(t,n),k=null!=s&&a(s,r);$&&ai?(0==v?(d=m,h=f):(d=g,h=y),c=w[t],u=z(b(d,n),c,l,0),p=z(b(d+h,n),c,l,0),wi(ds(u,p),ns(p-u))):wi(0,l),k&&ni?(1==v?(d=m,h=f):(d=g,h=y),c=w[s],u=E(b(d,r),c,o,0),p=E(b(d+h,r),c,o,0),$i(ds(u,p),ns(p-u))):$i(0,o)}else Xi()}else{let e=ns(Zs-Gs),t=ns(Xs-Bs);if(1==A.ori){let s=e;e=t,t=s}ai=si.x&&e>=si.dist,ni=si.y&&t>=si.dist;let s,i,a=si.uni;null!=a?ai&&ni&&(ai=e>=a,ni=t>=a,!ai&&!ni&&(t>e?ni=!0:ai=!0)):si.x&&si.y&&(ai||ni)&&(ai=ni=!0),ai&&(0==A.ori?(s=Vs,i=Qs):(s=Js,i=ei),wi(ds(s,i),ns(i-s)),ni||$i(0,o)),ni&&(1==A.ori?(s=Vs,i=Qs):(s=Js,i=ei),$i(ds(s,i),ns(i-s)),ai||wi(0,l)),!ai&&!ni&&(wi(0,0),$i(0,0))}if(si._x=ai,si._y=ni,null==e){if(n){if(null!=ba){let[e,t]=va.scales;va.values[0]=null!=e?yi(0==A.ori?Qs:ei,e):null,va.values[1]=null!=t?yi(1==A.ori?Qs:ei,t):null}ka(pt,i,Qs,ei,ne,re,r)}if(Ae){let e=n&&va.setSeries,t=Ee.prox;null==gi?pi<=t&&ui(mi,fi,!0,e):pi>t?ui(null,fi,!0,e):mi!=gi&&ui(mi,fi,!0,e)}}ke&&(R.idx=r,Mi()),!1!==s&&ga("setCursor")}i.setLegend=Mi;let Pi=null;function Ri(e=!1){e?Pi=null:(Pi=m.getBoundingClientRect(),ga("syncRect",Pi))}function ji(e,t,s,i,a,n,r){j._lock||ti&&null!=e&&0==e.movementX&&0==e.movementY||(Ii(e,t,s,i,a,n,0,!1,null!=e),null!=e?Oi(null,!0,!0):Oi(t,!0,!1))}function Ii(e,t,s,a,n,r,o,d,h){if(null==Pi&&Ri(!1),Te(e),null!=e)s=e.clientX-Pi.left,a=e.clientY-Pi.top;else{if(s<0||a<0)return Qs=-10,void(ei=-10);let[e,i]=va.scales,o=t.cursor.sync,[d,h]=o.values,[c,u]=o.scales,[p,m]=va.match,g=t.axes[0].side%2==1,f=0==A.ori?ne:re,y=1==A.ori?ne:re,v=g?r:n,b=g?n:r,$=g?a:s,k=g?s:a;if(s=null!=c?p(e,c)?l(d,w[e],f,0):-10:f*($/v),a=null!=u?m(i,u)?l(h,w[i],y,0):-10:y*(k/b),1==A.ori){let e=s;s=a,a=e}}h&&(null==t||t.cursor.event.type==pt)&&((s<=1||s>=ne-1)&&(s=Es(s,ne)),(a<=1||a>=re-1)&&(a=Es(a,re))),d?(Gs=s,Bs=a,[Vs,Js]=j.move(i,s,a)):(Qs=s,ei=a)}Object.defineProperty(i,"rect",{get:()=>(null==Pi&&Ri(!1),Pi)});let Wi,Fi,qi,Ji,Zi={width:0,height:0,left:0,top:0};function Xi(){oi(Zi,!1)}function Qi(e,t,s,a,n,r,l){ti=!0,ai=ni=si._x=si._y=!1,Ii(e,t,s,a,n,r,0,!0,!1),null!=e&&(te(gt,xt,ea,!1),ka(mt,i,Vs,Js,ne,re,null));let{left:o,top:d,width:h,height:c}=ri;Wi=o,Fi=d,qi=h,Ji=c}function ea(e,t,s,a,n,r,l){ti=si._x=si._y=!1,Ii(e,t,s,a,n,r,0,!1,!0);let{left:o,top:d,width:h,height:c}=ri,u=h>0||c>0,p=Wi!=o||Fi!=d||qi!=h||Ji!=c;if(u&&p&&oi(ri),si.setScale&&u&&p){let e=o,t=h,s=d,i=c;if(1==A.ori&&(e=d,t=c,s=o,i=h),ai&&ci(k,yi(e,k),yi(e+t,k)),ni)for(let e in w){let t=w[e];e!=k&&null==t.from&&t.min!=fs&&ci(e,yi(s+i,e),yi(s,e))}Xi()}else j.lock&&(j._lock=!j._lock,Oi(t,!0,null!=e));null!=e&&(se(gt,xt),ka(gt,i,Qs,ei,ne,re,null))}function na(e,t,s,a,n,r,l){j._lock||(Te(e),ct(),Xi(),null!=e&&ka(vt,i,Qs,ei,ne,re,null))}function ra(){b.forEach(Qa),xe(i.width,i.height,!0)}jt(wt,_t,ra);let ua={};ua.mousedown=Qi,ua.mousemove=ji,ua.mouseup=ea,ua.dblclick=na,ua.setSeries=(e,t,s,a)=>{-1!=(s=(0,va.match[2])(i,t,s))&&ui(s,a,!0,!1)},W&&(te(mt,m,Qi),te(pt,m,ji),te(ft,m,e=>{Te(e),Ri(!1)}),te(yt,m,(e,t,s,i,a,n,r)=>{if(j._lock)return;Te(e);let l=ti;if(ti){let e,t,s=!0,i=!0,a=10;0==A.ori?(e=ai,t=ni):(e=ni,t=ai),e&&t&&(s=Qs<=a||Qs>=ne-a,i=ei<=a||ei>=re-a),e&&s&&(Qs=Qs<Vs?0:ne),t&&i&&(ei=ei<Js?0:re),Oi(null,!0,!0),ti=!1}Qs=-10,ei=-10,U.fill(null),Oi(null,!0,!0),l&&(ti=l)}),te(vt,m,na),ja.add(i),i.syncRect=Ri);let ma=i.hooks=e.hooks||{};function ga(e,t,s){us?ms.push([e,t,s]):e in ma&&ma[e].forEach(e=>{e.call(null,i,t,s)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)ma[t]=(ma[t]||[]).concat(e.hooks[t])});let ya=(e,t,s)=>s,va=Ys({key:null,setSeries:!1,filters:{pub:_s,sub:_s},scales:[k,v[1]?v[1].scale:null],match:[Ss,Ss,ya],values:[null,null]},j.sync);2==va.match.length&&va.match.push(ya),j.sync=va;let ba=va.key,$a=pa(ba);function ka(e,t,s,i,a,n,r){va.filters.pub(e,t,s,i,a,n,r)&&$a.pub(e,t,s,i,a,n,r)}function xa(){ga("init",e,t),it(t||e.data,!1),C[k]?As(k,C[k]):ct(),$e=ri.show&&(ri.width>0||ri.height>0),we=ke=!0,xe(e.width,e.height)}return $a.sub(i),i.pub=(e,t,s,i,a,n,r)=>{va.filters.sub(e,t,s,i,a,n,r)&&ua[e](null,t,s,i,a,n,r)},i.destroy=()=>{$a.unsub(i),ja.delete(i),ee.clear(),It(wt,_t,ra),d.remove(),q?.remove(),ga("destroy")},v.forEach(Oe),b.forEach((e,t)=>{if(e._show=e.show,e.show){let s=w[e.scale];null==s&&(e.scale=e.side%2?v[1].scale:k,s=w[e.scale]);let a=s.time;e.size=ws(e.size),e.space=ws(e.space),e.rotate=ws(e.rotate),Rs(e.incrs)&&e.incrs.forEach(e=>{!Ds.has(e)&&Ds.set(e,Ls(e))}),e.incrs=ws(e.incrs||(2==s.distr?di:a?1==y?ki:Si:hi)),e.splits=ws(e.splits||(a&&1==s.distr?N:3==s.distr?Ki:4==s.distr?Vi:Bi)),e.stroke=ws(e.stroke),e.grid.stroke=ws(e.grid.stroke),e.ticks.stroke=ws(e.ticks.stroke),e.border.stroke=ws(e.border.stroke);let n=e.values;e.values=Rs(n)&&!Rs(n[0])?ws(n):a?Rs(n)?Ai(D,Ei(n,L)):Is(n)?((e,t)=>{let s=ii(t);return(t,i,a,n,r)=>i.map(t=>s(e(t)))})(D,n):n||O:n||Yi,e.filter=ws(e.filter||(s.distr>=3&&10==s.log?ta:3==s.distr&&2==s.log?sa:ks)),e.font=Xa(e.font),e.labelFont=Xa(e.labelFont),e._size=e.size(i,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Pe[t]=!0,e._el=Mt("u-axis",u))}}),s?s instanceof HTMLElement?(s.appendChild(d),xa()):s(i,xa):xa(),i}en.assign=Ys,en.fmtNum=ss,en.rangeNum=Xt,en.rangeLog=Bt,en.rangeAsinh=Kt,en.orient=ma,en.pxRatio=st,en.join=(e,t)=>{if((e=>{let t=e[0][0],s=t.length;for(let i=1;i<e.length;i++){let a=e[i][0];if(a.length!=s)return!1;if(a!=t)for(let e=0;e<s;e++)if(a[e]!=t[e])return!1}return!0})(e)){let t=e[0].slice();for(let s=1;s<e.length;s++)t.push(...e[s].slice(1));return((e,t=100)=>{let s=e.length;if(s<=1)return!0;let i=0,a=s-1;for(;i<=a&&null==e[i];)i++;for(;a>=i&&null==e[a];)a--;if(a<=i)return!0;let n=hs(1,rs((a-i+1)/t));for(let t=e[i],s=i+n;s<=a;s+=n){let i=e[s];if(null!=i){if(i<=t)return!1;t=i}}return!0})(t[0])||(t=(e=>{let t=e[0],s=t.length,i=Array(s);for(let e=0;e<i.length;e++)i[e]=e;i.sort((e,s)=>t[e]-t[s]);let a=[];for(let t=0;t<e.length;t++){let n=e[t],r=Array(s);for(let e=0;e<s;e++)r[e]=n[i[e]];a.push(r)}return a})(t)),t}let s=new Set;for(let t=0;t<e.length;t++){let i=e[t][0],a=i.length;for(let e=0;e<a;e++)s.add(i[e])}let i=[Array.from(s).sort((e,t)=>e-t)],a=i[0].length,n=new Map;for(let e=0;e<a;e++)n.set(i[0][e],e);for(let s=0;s<e.length;s++){let r=e[s],l=r[0];for(let e=1;e<r.length;e++){let o=r[e],d=Array(a).fill(void 0),h=t?t[s][e]:1,c=[];for(let e=0;e<o.length;e++){let t=o[e],s=n.get(l[e]);null===t?0!=h&&(d[s]=t,2==h&&c.push(s)):d[s]=t}Bs(d,c,a),i.push(d)}}return i},en.fmtDate=ii,en.tzDate=(e,t)=>{let s;return"UTC"==t||"Etc/UTC"==t?s=new Date(+e+6e4*e.getTimezoneOffset()):t==ai?s=e:(s=new Date(e.toLocaleString("en-US",{timeZone:t})),s.setMilliseconds(e.getMilliseconds())),s},en.sync=pa;{en.addGap=(e,t,s)=>{let i=e[e.length-1];i&&i[0]==t?i[1]=s:e.push([t,s])},en.clipGaps=va;let e=en.paths={points:Da};e.linear=Pa,e.stepped=e=>{let t=Qt(e.align,1),s=Qt(e.ascDesc,!1),i=Qt(e.alignGaps,0),a=Qt(e.extend,!1);return(e,n,r,l)=>ma(e,n,(o,d,h,c,u,p,m,g,f,y,v)=>{[r,l]=Ht(h,r,l);let b=o.pxRound,{left:w,width:$}=e.bbox,k=e=>b(p(e,c,y,g)),x=e=>b(m(e,u,v,f)),_=0==c.ori?_a:Sa,S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},T=S.stroke,z=c.dir*(0==c.ori?1:-1),E=x(h[1==z?r:l]),A=k(d[1==z?r:l]),M=A,C=A;a&&-1==t&&(C=w,_(T,C,E)),_(T,A,E);for(let e=1==z?r:l;e>=r&&e<=l;e+=z){let s=h[e];if(null==s)continue;let i=k(d[e]),a=x(s);1==t?_(T,i,E):_(T,M,a),_(T,i,a),E=a,M=i}let D=M;a&&1==t&&(D=w+$,_(T,D,E));let[L,N]=ga(e,n);if(null!=o.fill||0!=L){let t=S.fill=new Path2D(T),s=x(o.fillTo(e,n,o.min,o.max,L));_(t,D,s),_(t,C,s)}if(!o.spanGaps){let a=[];a.push(...ba(d,h,r,l,z,k,i));let u=o.width*st/2,p=s||1==t?u:-u,m=s||-1==t?-u:u;a.forEach(e=>{e[0]+=p,e[1]+=m}),S.gaps=a=o.gaps(e,n,r,l,a),S.clip=va(a,c.ori,g,f,y,v)}return 0!=N&&(S.band=2==N?[ya(e,n,r,l,T,-1),ya(e,n,r,l,T,1)]:ya(e,n,r,l,T,N)),S})},e.bars=e=>{let t=Qt((e=e||Os).size,[.6,fs,1]),s=e.align||0,i=e.gap||0,a=e.radius;a=null==a?[0,0]:"number"==typeof a?[a,0]:a;let n=ws(a),r=1-t[0],l=Qt(t[1],fs),o=Qt(t[2],1),d=Qt(e.disp,Os),h=Qt(e.each,e=>{}),{fill:c,stroke:u}=d;return(e,t,a,p)=>ma(e,t,(m,g,f,y,v,b,w,$,k,x,_)=>{let S,T,z=m.pxRound,E=s,A=i*st,M=l*st,C=o*st;0==y.ori?[S,T]=n(e,t):[T,S]=n(e,t);let D,L,N,O=y.dir*(0==y.ori?1:-1),P=0==y.ori?Ta:za,U=0==y.ori?h:(e,t,s,i,a,n,r)=>{h(e,t,s,a,i,r,n)},R=Qt(e.bands,Ps).find(e=>e.series[0]==t),j=m.fillTo(e,t,m.min,m.max,null!=R?R.dir:0),I=z(w(j,v,_,k)),W=x,F=z(m.width*st),q=!1,G=null,H=null,Y=null,B=null;null!=c&&(0==F||null!=u)&&(q=!0,G=c.values(e,t,a,p),H=new Map,new Set(G).forEach(e=>{null!=e&&H.set(e,new Path2D)}),F>0&&(Y=u.values(e,t,a,p),B=new Map,new Set(Y).forEach(e=>{null!=e&&B.set(e,new Path2D)})));let{x0:K,size:V}=d;if(null!=K&&null!=V){E=1,g=K.values(e,t,a,p),2==K.unit&&(g=g.map(t=>e.posToVal($+t*x,y.key,!0)));let s=V.values(e,t,a,p);L=2==V.unit?s[0]*x:b(s[0],y,x,$)-b(0,y,x,$),W=Ua(g,f,b,y,x,$,W),N=W-L+A}else W=Ua(g,f,b,y,x,$,W),N=W*r+A,L=W-N;N<1&&(N=0),F>=L/2&&(F=0),N<5&&(z=$s);let J=N>0;L=z(vs(W-N-(J?F:0),C,M)),D=(0==E?L/2:E==O?0:L)-E*O*((0==E?A/2:0)+(J?F/2:0));let Z={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},X=q?null:new Path2D,Q=null;if(null!=R)Q=e.data[R.series[1]];else{let{y0:s,y1:i}=d;null!=s&&null!=i&&(f=i.values(e,t,a,p),Q=s.values(e,t,a,p))}let ee=S*L,te=T*L;for(let s=1==O?a:p;s>=a&&s<=p;s+=O){let i=f[s];if(null==i)continue;if(null!=Q){let e=Q[s]??0;if(i-e==0)continue;I=w(e,v,_,k)}let a=b(2!=y.distr||null!=d?g[s]:s,y,x,$),n=w(Qt(i,j),v,_,k),r=z(a-D),l=z(hs(n,I)),o=z(ds(n,I)),h=l-o;if(null!=i){let a=i<0?te:ee,n=i<0?ee:te;q?(F>0&&null!=Y[s]&&P(B.get(Y[s]),r,o+rs(F/2),L,hs(0,h-F),a,n),null!=G[s]&&P(H.get(G[s]),r,o+rs(F/2),L,hs(0,h-F),a,n)):P(X,r,o+rs(F/2),L,hs(0,h-F),a,n),U(e,t,s,r-F/2,o,L+F,h)}}return F>0?Z.stroke=q?B:X:q||(Z._fill=0==m.width?m._fill:m._stroke??m._fill,Z.width=0),Z.fill=q?H:X,Z})},e.spline=e=>((e,t)=>{let s=Qt(t?.alignGaps,0);return(t,i,a,n)=>ma(t,i,(r,l,o,d,h,c,u,p,m,g,f)=>{[a,n]=Ht(o,a,n);let y,v,b,w=r.pxRound,$=e=>w(c(e,d,g,p)),k=e=>w(u(e,h,f,m));0==d.ori?(y=ka,b=_a,v=Ma):(y=xa,b=Sa,v=Ca);let x=d.dir*(0==d.ori?1:-1),_=$(l[1==x?a:n]),S=_,T=[],z=[];for(let e=1==x?a:n;e>=a&&e<=n;e+=x)if(null!=o[e]){let t=$(l[e]);T.push(S=t),z.push(k(o[e]))}let E={stroke:e(T,z,y,b,v,w),fill:null,clip:null,band:null,gaps:null,flags:1},A=E.stroke,[M,C]=ga(t,i);if(null!=r.fill||0!=M){let e=E.fill=new Path2D(A),s=k(r.fillTo(t,i,r.min,r.max,M));b(e,S,s),b(e,_,s)}if(!r.spanGaps){let e=[];e.push(...ba(l,o,a,n,x,$,s)),E.gaps=e=r.gaps(t,i,a,n,e),E.clip=va(e,d.ori,p,m,g,f)}return 0!=C&&(E.band=2==C?[ya(t,i,a,n,A,-1),ya(t,i,a,n,A,1)]:ya(t,i,a,n,A,C)),E})})(Ra,e)}var tn=["--aisha-accent","--aisha-good","--aisha-warn","--aisha-danger","--aisha-muted"],sn="11px system-ui, sans-serif",an=class extends p{constructor(){super(...arguments),this.caption="",this.labels=[],this.series=[],this.format=String,this.theme="",this.observer=new ResizeObserver(()=>this.fit())}disconnectedCallback(){super.disconnectedCallback(),this.observer.disconnect(),this.plot?.destroy(),this.plot=void 0}render(){return c`<div class="plot" aria-hidden="true"></div>
${this.series.length>1?c`<div class="legend" aria-hidden="true">
${this.series.map((e,t)=>c`<span><i class="c${t%tn.length}"></i>${e.name}</span>`)}
</div>`:""}
<table class="hidden-text">
<caption>
${this.caption}
</caption>
<tr>
<td></td>
${this.series.map(e=>c`<th scope="col">${e.name}</th>`)}
</tr>
${this.labels.map((e,t)=>c`<tr>
<th scope="row">${e}</th>
${this.series.map(e=>c`<td>${this.format(e.values[t]??0)}</td>`)}
</tr>`)}
</table>`}updated(){this.draw()}get box(){return this.renderRoot.querySelector(".plot")}fit(){let e=this.box?.clientWidth??0;e&&this.plot&&this.plot.width!==e&&this.plot.setSize({width:e,height:220})}draw(){this.plot?.destroy();let e=getComputedStyle(this),t=t=>e.getPropertyValue(t).trim(),s={stroke:t("--aisha-muted"),grid:{stroke:t("--aisha-line"),width:1},ticks:{show:!1},font:sn},i=this.series.map((e,t)=>this.labels.map((e,s)=>this.series.slice(0,t+1).reduce((e,t)=>e+(t.values[s]??0),0))),a=this.series.map((e,t)=>t).toReversed(),n=en.paths.bars({size:[.6,48],radius:.15});this.plot=new en({width:this.box.clientWidth||320,height:220,padding:[8,0,0,0],legend:{show:!1},cursor:{show:!1},select:{show:!1,left:0,top:0,width:0,height:0},scales:{x:{time:!1,range:[-.6,this.labels.length-.4]},y:{range:(e,t,s)=>[0,s>0?1.08*s:1]}},axes:[{...s,size:()=>10+16*Math.max(1,...this.wrapped().map(e=>e.split("\n").length)),grid:{show:!1},splits:()=>this.labels.map((e,t)=>t),values:()=>this.wrapped()},{...s,size:54,values:(e,t)=>t.map(e=>this.format(e))}],series:[{},...a.map(e=>({label:this.series[e].name,fill:t(tn[e%tn.length]),stroke:t(tn[e%tn.length]),width:0,points:{show:!1},paths:n}))]},[this.labels.map((e,t)=>t),...a.map(e=>i[e])],this.box),this.observer.observe(this.box)}wrapped(){let e=((this.box.clientWidth||320)-54)/Math.max(1,this.labels.length),t=Math.ceil(28/e),s=document.createElement("canvas").getContext("2d");s.font=sn;let i=i=>s.measureText(i).width<=e*t-5,a=e=>{let t=e.length;for(;t>1&&!i(t<e.length?`${e.slice(0,t)}…`:e);)t-=1;return t<e.length?`${e.slice(0,t)}…`:e};return this.labels.map((e,s)=>{if(s%t)return"";if(i(e))return e;let[n="",...r]=e.split(" ");return[n,r.join(" ")].filter(Boolean).map(a).join("\n")})}};an.styles=[z,Re,h`.plot{block-size:220px}.uplot,.uplot *,.uplot *:before,.uplot *:after{box-sizing:border-box}.u-wrap{position:relative;user-select:none}.u-over,.u-under{position:absolute}.uplot canvas{display:block;position:relative;inline-size:100%;block-size:100%}.u-axis{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:var(--aisha-3);margin-block-start:var(--aisha-2);color:var(--aisha-muted)}.legend i{display:inline-block;inline-size:10px;block-size:10px;border-radius:3px;margin-inline-end:6px}.c0{background:var(--aisha-accent)}.c1{background:var(--aisha-good)}.c2{background:var(--aisha-warn)}.c3{background:var(--aisha-danger)}.c4{background:var(--aisha-muted)}`],O([m()],an.prototype,"caption",2),O([m({attribute:!1})],an.prototype,"labels",2),O([m({attribute:!1})],an.prototype,"series",2),O([m({attribute:!1})],an.prototype,"format",2),O([m()],an.prototype,"theme",2),an=O([x("desk-chart")],an);var nn=class{constructor(e,t){this.host=e,this.ask=t,this.value=null,this.error="",this.attempt=0,e.addController(this)}hostConnected(){this.load()}async load(){let e=this.attempt+=1;this.error="";try{let t=await this.ask();e===this.attempt&&(this.value=t)}catch(t){e===this.attempt&&(this.error=xe(t))}this.host.requestUpdate()}show(e){return this.error?qe(this.error,()=>this.load()):null===this.value?Ge:e(this.value)}},rn=class extends p{constructor(){super(...arguments),this.theme="",this.loader=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/analytics")))}render(){return this.loader.show(e=>this.summary(e))}summary(e){if(!e.totalCommands)return Fe("No commands yet. Ask the assistant something.");let t=e.performanceMetrics,s=(e,t)=>c`<div class="card"><strong>${t}</strong><span class="muted">${e}</span></div>`,i=e=>null==e?"—":$e(e),a=e.mostFrequentCommands;return c`<div class="figures">
${s("Commands",pe(e.totalCommands))} ${s("Succeeded",`${pe(e.successRate)}%`)}
${s("Whole command",i(t.avgTotalMs))} ${s("Model",i(t.avgLlmMs))}
${s("Speech to text",i(t.avgSttMs))} ${s("Text to speech",i(t.avgTtsMs))}
</div>
<div class="grid">
<section class="card">
<h2>Most frequent</h2>
<desk-chart
caption="Most frequent commands"
.labels=${a.map(e=>e.commandName)}
.series=${[{name:"Times",values:a.map(e=>e.count)}]}
.format=${pe}
theme=${this.theme}
></desk-chart>
</section>
<section class="card">
<h2>Latest failures</h2>
${e.recentFailures.length?c`<dl class="fields">
${e.recentFailures.map(e=>c`<dt>${e.commandName}<br />${ye(e.timestamp)}</dt>
<dd>${e.errorMessage}</dd>`)}
</dl>`:c`<p class="muted">None of the last ${pe(e.commandsRead)} commands failed.</p>`}
</section>
</div>
${e.truncated?c`<p class="muted">Older commands are left out.</p>`:u}`}};rn.styles=[z,Re,h`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figures strong{display:block;font-size:22px}`],O([m({attribute:!1})],rn.prototype,"desk",2),O([m()],rn.prototype,"theme",2),rn=O([x("desk-analytics")],rn);var ln=class extends p{constructor(){super(...arguments),this.isSaving=!1,this.loader=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/profile")))}render(){return this.loader.show(e=>this.form(e))}form(e){let t=e.admin;return c`<form @submit=${e=>this.save(e,t.version)}>
<label class="field">
Name
<input name="name" maxlength="60" .value=${e.assistantName} />
</label>
<label class="field">
Persona
<textarea name="persona" maxlength="3010" .value=${t.persona.join("\n")}></textarea>
<span class="muted">Up to ten lines on character and tone, such as “Warm, and never pushy”.</span>
</label>
<fieldset>
<legend>Your words for records</legend>
${Se.map(t=>c`<label class="field"
>${t.one}
<input
name="label.${t.type}"
maxlength="60"
.value=${e.labels[t.type]??""}
placeholder=${t.one}
/>
</label>`)}
</fieldset>
<div class="row">
<button class="button primary" ?disabled=${this.isSaving}>Save</button>
<span class="muted">
Plan ${we(t.plan)}${t.provider?`, models of ${we(t.provider)} alone`:""};
${t.masksContacts?"addresses and numbers are masked for models":"contact data is not masked"}. The
operator sets these.
</span>
</div>
</form>`}async save(e,t){e.preventDefault();let s=new FormData(e.target),i=e=>String(s.get(e)??"").trim(),a=i("persona").split("\n").map(e=>e.trim()),n=Se.map(e=>[e.type,i(`label.${e.type}`)]).filter(([,e])=>e);this.isSaving=!0;try{let e={assistantName:i("name"),persona:a.filter(Boolean),labels:Object.fromEntries(n),version:t};await this.desk.api.rest.PATCH("/api/ai/profile",{body:e}),this.desk.tell("Saved. It holds within a minute; load the page again to see the new words.")}catch(e){this.desk.tell(xe(e),!0)}this.isSaving=!1,await this.loader.load()}};ln.styles=[z,Re,h`form{display:grid;gap:var(--aisha-4);max-inline-size:640px}textarea{min-block-size:120px;resize:vertical}fieldset{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(160px,1fr));margin:0;padding:0;border:0}legend{font-weight:600;margin-block-end:var(--aisha-2)}`],O([m({attribute:!1})],ln.prototype,"desk",2),O([g()],ln.prototype,"isSaving",2),ln=O([x("desk-assistant-profile")],ln);var on=["executed","failed","rejected","pending","not_found","intended","unreadable"],dn=class extends p{constructor(){super(...arguments),this.filters={},this.log=new nn(this,()=>this.page()),this.chain=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/audit/verification")))}render(){return c`${this.chain.show(e=>c`<section class="card">
<h2>Chain ${Ie(e.isIntact?"intact":"broken",e.isIntact?"good":"bad")}</h2>
<p>
${pe(e.entries)} entries, each with the hash of the one before.
${e.isIntact?"None was changed, moved or removed.":u}
</p>
${e.problems.map(e=>c`<p class="error">${e}</p>`)}
<p class="muted">
Keep the last hash elsewhere to notice a log that was written anew: <code>${e.head.hash}</code>
</p>
</section>`)}
<form @submit=${this.filter}>
<label class="field">Tool <input name="tool" placeholder="update_lead" /></label>
<label class="field">User <input name="user" placeholder="alice" /></label>
<label class="field">Record <input name="entity" placeholder="Name or id" /></label>
<label class="field"
>Status
<select name="status">
<option value="">Any</option>
${on.map(e=>c`<option value=${e}>${we(e)}</option>`)}
</select>
</label>
<button class="button primary">Filter</button>
</form>
${this.log.show(e=>this.table(e))}`}table(e){return e.items.length?c`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
<table>
<thead>
<tr>
${["Time","User","Through","Tool","Status","What it did"].map(e=>c`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>c`<tr>
<td>${ye(e.at)}</td>
<td>${we(e.user)}</td>
<td>${e.door}</td>
<td>${e.tool}</td>
<td>
${Ie(e.status)} ${"normal"===e.severity?u:Ie(e.severity,"warn")}
</td>
<td class="name">
${e.line}
<details>
<summary>Arguments and records</summary>
<pre>
${JSON.stringify({arguments:e.arguments,receipts:e.receipts,error:e.error},null,2)}</pre>
</details>
</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?c`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:u}`:Fe("No call fits these filters.")}page(e){let t={...this.filters,limit:30,...e?{cursor:e}:{}};return w(this.desk.api.rest.GET("/api/ai/audit",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.log.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(xe(e),!0)}}filter(e){e.preventDefault();let t=[...new FormData(e.target)].map(([e,t])=>[e,String(t).trim()]).filter(([,e])=>e);this.filters=Object.fromEntries(t),this.log.load()}};dn.styles=[z,Re,h`form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,130px),1fr));gap:var(--aisha-3);align-items:end;margin-block:var(--aisha-4)}form :is(input,select){inline-size:100%;block-size:38px}form .button{justify-self:start;block-size:38px}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s);max-block-size:320px;overflow:auto}`],O([m({attribute:!1})],dn.prototype,"desk",2),O([g()],dn.prototype,"filters",2),dn=O([x("desk-audit")],dn);var hn=class extends p{constructor(){super(...arguments),this.deleting="",this.loader=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/documents")))}render(){return c`<p class="muted head">What the assistant reads when a question is about your own rules and products.</p>
${this.loader.show(e=>this.table(e))}
<form class="card" @submit=${this.add}>
<h2>Add a document</h2>
<label class="field"
>File (Markdown or text) <input type="file" accept=".md,.txt,text/*" @change=${this.read}
/></label>
<label class="field">Title <input name="title" required maxlength="200" /></label>
<label class="field">What it is about <input name="description" required maxlength="300" /></label>
<label class="field">Text <textarea name="text" required></textarea></label>
<div><button class="button primary">Save</button></div>
</form>`}table(e){return e.items.length?c`<div class="scroll" tabindex="0" role="region" aria-label="Documents">
<table>
<thead>
<tr>
<th scope="col">Title</th>
<th scope="col">What it is about</th>
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${e.items.map(e=>c`<tr>
<td class="name">${e.title}</td>
<td class="name">${e.description}</td>
<td class="number">${this.actions(e)}</td>
</tr>`)}
</tbody>
</table>
</div>`:Fe("There are no documents yet.")}actions(e){return this.deleting!==e.id?c`<button class="button" @click=${()=>this.deleting=e.id}>
Delete<span class="hidden-text"> ${e.title}</span>
</button>`:c`<span class="row">
<button class="button danger" @click=${()=>this.discard(e)}>Delete for good</button>
<button class="button" @click=${()=>this.deleting=""}>Keep</button>
</span>`}async read(e){let t=e.target.files?.[0];if(!t)return;let s=e.target.form;s.elements.namedItem("text").value=await t.text();let i=s.elements.namedItem("title");i.value||=t.name.replace(/\.\w+$/,"").replace(/[-_]+/g," ")}async add(e){e.preventDefault();let t=e.target,s=new FormData(t),i=e=>String(s.get(e)??""),a=i("title").toLowerCase().replace(/[^a-z0-9]+/g,"-").replace(/^-+|-+$/g,"").slice(0,60)||"document";await this.try(async()=>{let e={title:i("title"),description:i("description"),text:i("text")};await this.desk.api.rest.PUT("/api/ai/documents/{id}",{params:{path:{id:a}},body:e}),t.reset(),this.desk.tell("Saved. The assistant reads it from now on.")})}async discard(e){this.deleting="",await this.try(()=>this.desk.api.rest.DELETE("/api/ai/documents/{id}",{params:{path:{id:e.id}}}))}async try(e){try{await e()}catch(e){this.desk.tell(xe(e),!0)}await this.loader.load()}};hn.styles=[z,Re,h`form{display:grid;gap:var(--aisha-3);max-inline-size:640px;margin-block-start:var(--aisha-4)}textarea{min-block-size:160px;resize:vertical}`],O([m({attribute:!1})],hn.prototype,"desk",2),O([g()],hn.prototype,"deleting",2),hn=O([x("desk-documents")],hn);var cn=class extends p{constructor(){super(...arguments),this.sweep=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/sweeps"))),this.health=new nn(this,()=>w(this.desk.api.rest.GET("/health")))}render(){return c`<div class="head">
<button class="button end" @click=${this.refresh}>Refresh</button>
</div>
<div class="grid">
<section class="card">
<h2>Health</h2>
${this.health.show(e=>c`<dl class="fields">
${e.dependencies.map(e=>c`<dt>${we(e.name)}</dt>
<dd>
${Ie(e.state)}
<span class="muted">${e.detail??""} ${$e(e.durationMs)}</span>
</dd>`)}
</dl>`)}
</section>
<section class="card">
<h2>Last sweep</h2>
${this.sweep.show(e=>this.state(e))}
</section>
</div>`}state(e){return c`<dl class="fields">
<dt>State</dt>
<dd>${Ie(e.status)}</dd>
<dt>Every day</dt>
<dd>
${e.isEnrolled?"Yes":"Not yet: it begins when somebody runs a scan or saves their notification settings"}
</dd>
${e.startedAt?c`<dt>Began</dt>
<dd>${ye(e.startedAt)}</dd>
<dt>Records</dt>
<dd>
${pe(e.recordsExamined??0)} on ${pe(e.pages??0)}
pages${e.truncated?", not all":""}
</dd>`:u}
${e.scans.map(e=>c`<dt>${we(e.scanType)}</dt>
<dd>
${pe(e.findings)} found, ${pe(e.newFindings)} new
${e.failedPages?Ie(`${e.failedPages} pages failed`,"bad"):u}
</dd>`)}
</dl>
<h2>Open jobs</h2>
${e.jobs.length?c`<dl class="fields">
${e.jobs.map(e=>c`<dt>${e.name}</dt>
<dd>${Ie(e.status,"running"===e.status?"accent":"")}</dd>`)}
</dl>`:c`<p class="muted">None.</p>`}`}refresh(){this.sweep.load(),this.health.load()}};cn.styles=[z,Re],O([m({attribute:!1})],cn.prototype,"desk",2),cn=O([x("desk-operations")],cn);var un={none:"Runs when it is ordered",destructive:"Asks before it deletes",always:"Always asks"},pn={read:"",write:"accent",delete:"bad",external:"warn"},mn=class extends p{constructor(){super(...arguments),this.loader=new nn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([w(e.GET("/api/ai/tools")),w(e.GET("/api/ai/profile"))]);return{tools:t.items,admin:s.admin}})}render(){return c`<p class="muted head">
A rule holds for everyone and only restricts: “ask” makes a tool wait for a yes, “deny” takes it away. Whatever
deletes or leaves the CRM asks in any case.
</p>
${this.loader.show(e=>this.table(e))}`}table({tools:e,admin:t}){let s=new Set(e.map(e=>e.name)),i=Object.keys(t.rules).filter(e=>!s.has(e)),a=e.toSorted((e,t)=>e.toolkit.localeCompare(t.toolkit)||e.name.localeCompare(t.name));return c`<div class="scroll" tabindex="0" role="region" aria-label="Tools">
<table>
<thead>
<tr>
${["Tool","Toolkit","Access","Confirmation","Module","Rule"].map(e=>c`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${i.map(e=>c`<tr>
<td class="name"><strong>${e}</strong></td>
<td colspan="4" class="muted">Taken away by its rule</td>
<td>${this.rule(e,t)}</td>
</tr>`)}
${a.map(e=>{return c`<tr>
<td class="name"><strong>${e.name}</strong><br /><span class="muted">${s=e,s.description.split("\n")[0]??""}</span></td>
<td>${we(e.toolkit)}</td>
<td>${Ie(e.access,pn[e.access]??"")}</td>
<td>${un[e.confirmation]??e.confirmation}</td>
<td>${e.module?we(e.module):"—"}</td>
<td>${this.rule(e.name,t)}</td>
</tr>`;var s})}
</tbody>
</table>
</div>`}rule(e,t){let s=t.rules[e]??"";return c`<select
aria-label="Rule for ${e}"
.value=${s}
@change=${s=>this.change(e,s.target.value,t)}
>
${[["","No rule"],["allow","Allow"],["ask","Ask"],["deny","Deny"]].map(([e,t])=>c`<option value=${e} ?selected=${e===s}>${t}</option>`)}
</select>`}async change(e,t,s){let{[e]:i,...a}=s.rules,n=t?{...a,[e]:t}:a;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{rules:n,version:s.version}}),this.desk.tell(`The rule for ${e} is saved. It holds within a minute.`)}catch(e){this.desk.tell(xe(e),!0)}await this.loader.load()}};mn.styles=[z,Re],O([m({attribute:!1})],mn.prototype,"desk",2),mn=O([x("desk-tools")],mn);var gn="*",fn={allow:"Allow",ask:"Ask",deny:"Deny"},yn={allow:"good",ask:"warn",deny:"bad"},vn=class extends p{constructor(){super(...arguments),this.busy="",this.outcome=null,this.loader=new nn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([w(e.GET("/api/ai/tools")),w(e.GET("/api/ai/profile"))]),i=s.admin,a=[...Object.values(i.trust).flat(),...Object.values(i.roleRules).flatMap(Object.keys)],n=[...new Set([...s.roles,...a])].filter(e=>e!==gn).sort();return{tools:t.items.toSorted((e,t)=>e.name.localeCompare(t.name)),admin:i,roles:n}})}render(){return c`${this.loader.show(e=>c`${this.trust(e)} ${this.rules(e)}`)}`}trust(e){let{trust:t}=e.admin,s=e.tools.filter(e=>"write"===e.access);return c`<section class="card">
<h2>Trust</h2>
<p class="muted">
The assistant asks before a write that the user’s own words do not order, such as a note that it would add by
itself. A role that you trust with a tool is not asked about these. Deletions, email, changes of more than ten
records and whatever lasts are asked about in any case.
</p>
${Object.keys(t).length?this.table(["Tool","Trusted roles"],Object.entries(t).flatMap(([e,s])=>s.map(i=>this.row(e,[wn(i)],"trust",`${e} for ${wn(i)}`,()=>({trust:$n({...t,[e]:s.filter(e=>e!==i)})}))))):c`<p>Nobody is trusted further: everyone is asked.</p>`}
<form @submit=${t=>this.addTrust(t,e.admin)}>
${this.toolField(s)} ${this.roleField(e.roles,"trust")}
<button class="button primary" ?disabled=${""!==this.busy}>Trust</button>
</form>
${this.told("trust")}
</section>`}rules(e){let{roleRules:t}=e.admin;return c`<section class="card">
<h2>Rules by role</h2>
<p class="muted">
“Ask” makes a tool wait for a yes from users with the role, “deny” takes it away from them. The strictest of all
rules that apply holds, also of those under <a href="#/console/tools">Tools</a>, so “allow” loosens nothing.
</p>
${Object.keys(t).length?this.table(["Tool","Role","Rule"],Object.entries(t).flatMap(([e,s])=>Object.entries(s).map(([i,a])=>this.row(e,[i,Ie(fn[a],yn[a])],"roleRules",`${e} for ${i}`,()=>{let{[i]:a,...n}=s;return{roleRules:$n({...t,[e]:n})}})))):c`<p>There are no rules for single roles.</p>`}
<form @submit=${t=>this.addRule(t,e.admin)}>
${this.toolField(e.tools)} ${this.roleField(e.roles,"rules")}
<label class="field">
Rule
<select name="verdict">
${Object.entries(fn).map(([e,t])=>c`<option value=${e} ?selected=${"ask"===e}>${t}</option>`)}
</select>
</label>
<button class="button primary" ?disabled=${""!==this.busy}>Add rule</button>
</form>
${this.told("roleRules")}
</section>`}table(e,t){return c`<div class="scroll" tabindex="0" role="region" aria-label=${e.join(", ")}>
<table>
<thead>
<tr>
${e.map(e=>c`<th scope="col">${e}</th>`)}
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${t}
</tbody>
</table>
</div>`}row(e,t,s,i,a){return c`<tr>
<td class="name"><strong>${e}</strong></td>
${t.map(e=>c`<td>${e}</td>`)}
<td>
<button
class="button"
?disabled=${""!==this.busy}
@click=${()=>this.save(s,a(),`Removed: ${i}.`)}
>
Remove<span class="hidden-text"> ${i}</span>
</button>
</td>
</tr>`}toolField(e){return c`<label class="field">
Tool
<select name="tool" required>
<option value="">Choose a tool</option>
${e.map(e=>c`<option value=${e.name}>${e.name}</option>`)}
</select>
</label>`}roleField(e,t){return c`<label class="field">
Role
<input name="role" required maxlength="60" list="${t}-roles" autocomplete="off" placeholder="e.g. manager" />
<datalist id="${t}-roles">
${"trust"===t?c`<option value=${wn(gn)}></option>`:u}
${e.map(e=>c`<option value=${e}></option>`)}
</datalist>
</label>`}told(e){if(this.outcome?.part!==e)return u;let{text:t,isError:s}=this.outcome;return c`<p class=${s?"error":"done"} role=${s?"alert":"status"}>${t}</p>`}addTrust(e,{trust:t}){let{form:s,tool:i,role:a}=bn(e),n=a.toLowerCase()===wn(gn).toLowerCase()?gn:a,r=[...new Set([...t[i]??[],n])];this.save("trust",{trust:{...t,[i]:r}},`${wn(n)}: trusted with ${i}.`,s)}addRule(e,{roleRules:t}){let{form:s,tool:i,role:a,verdict:n}=bn(e),r={...t[i],[a]:n},l=`${a}: the rule for ${i} is “${fn[n].toLowerCase()}”.`;this.save("roleRules",{roleRules:{...t,[i]:r}},l,s)}async save(e,t,s,i){let{version:a}=this.loader.value.admin;this.busy=e,this.outcome=null;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{...t,version:a}}),i?.reset(),this.outcome={part:e,text:`Saved. ${s} It holds within a minute.`,isError:!1}}catch(t){this.outcome={part:e,text:xe(t),isError:!0}}await this.loader.load(),this.busy=""}};function bn(e){e.preventDefault();let t=e.target,s=new FormData(t),i=e=>String(s.get(e)??"").trim();return{form:t,tool:i("tool"),role:i("role"),verdict:i("verdict")}}function wn(e){return e===gn?"All roles":e}function $n(e){return Object.fromEntries(Object.entries(e).filter(([,e])=>Object.keys(e).length))}vn.styles=[z,Re,h`:host{display:grid;gap:var(--aisha-4);max-inline-size:900px}.card{display:grid;gap:var(--aisha-3)}h2,.card p{margin:0}.card p{max-inline-size:72ch}form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,170px),1fr));gap:var(--aisha-3);align-items:end}form :is(select,input){inline-size:100%;block-size:38px}form .button{justify-self:start;block-size:38px}td:last-child{text-align:end}.done{color:var(--aisha-good)}`],O([m({attribute:!1})],vn.prototype,"desk",2),O([g()],vn.prototype,"busy",2),O([g()],vn.prototype,"outcome",2),vn=O([x("desk-trust")],vn);var kn=class extends p{constructor(){super(...arguments),this.messageId="",this.loader=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/turns/{id}",{params:{path:{id:this.messageId}}})))}willUpdate(e){e.get("messageId")&&this.loader.load()}render(){return c`<p class="head"><a class="link" href="#/console/turns">All turns</a></p>
${this.loader.show(e=>this.turn(e))}`}turn(e){return c`<div class="grid">
<section class="card">
<h2>Turn ${Ie(e.status)}</h2>
<dl class="fields">
<dt>When</dt>
<dd>${ye(e.at)}</dd>
<dt>User</dt>
<dd>${we(e.user)}, through ${e.door}</dd>
<dt>Mode</dt>
<dd>${we(e.mode)}</dd>
<dt>Model</dt>
<dd>${e.provider}: ${e.model} ${e.degraded?Ie("degraded","warn"):u}</dd>
<dt>Model calls</dt>
<dd>${pe(e.iterations)}</dd>
<dt>Tokens</dt>
<dd>${pe(e.inputTokens)} read, ${pe(e.outputTokens)} written</dd>
<dt>Cost</dt>
<dd><strong>${ue(e.costUsd)}</strong></dd>
${e.error?c`<dt>Error</dt>
<dd class="error">${e.error}</dd>`:u}
${e.warnings.length?c`<dt>Warnings</dt>
<dd>${e.warnings.join(" ")}</dd>`:u}
${e.asked?c`<dt>Asked about</dt>
<dd>${e.asked}</dd>`:u}
<dt>Ids</dt>
<dd><code>${e.messageId}</code><br /><code>${e.conversationId}</code></dd>
</dl>
</section>
${this.shares("Time by step",e.stepsMs,$e,e.totalMs)}
${this.shares("Prompt by section, in tokens",e.promptTokens,pe)}
<section class="card">
<h2>Tool calls</h2>
${e.calls.length?e.calls.map(e=>c`<div class="call">
<strong>${e.name}</strong> ${Ie(e.status)}
<span class="muted">${$e(e.durationMs)}</span>
<p>${e.error??e.line}</p>
<details>
<summary>Arguments</summary>
<pre>${JSON.stringify(e.arguments,null,2)}</pre>
</details>
</div>`):c`<p class="muted">This turn used no tool.</p>`}
</section>
<p class="muted">
What was said is not shown here: only the user reads their conversations. Records before and after a change are
in the audit log.
</p>
</div>`}shares(e,t,s,i){let a=Object.entries(t).filter(([,e])=>e>0),n=i??a.reduce((e,[,t])=>e+t,0);return c`<section class="card">
<h2>${e} <span class="muted">${s(n)}</span></h2>
${a.length?c`<div class="share">
${a.toSorted((e,t)=>t[1]-e[1]).map(([e,t])=>c`<span>${we(e)}</span>
<progress max=${n||1} value=${t} aria-label=${we(e)}></progress>
<span class="number">${s(t)}</span>`)}
</div>`:c`<p class="muted">None: the offline planner reads no prompt.</p>`}
</section>`}};kn.styles=[z,Re,h`.share{display:grid;grid-template-columns:minmax(12ch,22ch) 1fr auto;gap:var(--aisha-2) var(--aisha-3);align-items:center}details{margin-block-start:var(--aisha-1)}.call{padding-block:var(--aisha-3);border-block-end:1px solid var(--aisha-line);overflow-wrap:anywhere}.call:last-child{border:0}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}`],O([m({attribute:!1})],kn.prototype,"desk",2),O([m()],kn.prototype,"messageId",2),kn=O([x("desk-turn")],kn);var xn=class extends p{constructor(){super(...arguments),this.onlyFailed=!1,this.loader=new nn(this,()=>this.page())}render(){return c`<div class="head">
<label class="row">
<input
type="checkbox"
.checked=${this.onlyFailed}
@change=${e=>{this.onlyFailed=e.target.checked,this.loader.load()}}
/>
Only failed ones
</label>
<button class="button end" @click=${()=>this.loader.load()}>Refresh</button>
</div>
${this.loader.show(e=>this.table(e))}`}table(e){return e.items.length?c`<div class="scroll" tabindex="0" role="region" aria-label="Turns">
<table>
<thead>
<tr>
${["Time","User","Through","Status","Tools","Model"].map(e=>c`<th scope="col">${e}</th>`)}
<th scope="col" class="number">Took</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${e.items.map(e=>c`<tr>
<td><a class="link" href="#/console/turns/${e.messageId}">${ye(e.at)}</a></td>
<td>${we(e.user)}</td>
<td>${e.door}</td>
<td>${Ie(e.status)}</td>
<td class="name">${e.tools.join(", ")||"—"}</td>
<td>${e.model}</td>
<td class="number">${$e(e.totalMs)}</td>
<td class="number">${ue(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?c`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:u}`:Fe("No turns yet. Ask the assistant something.")}page(e){let t={limit:25,...this.onlyFailed?{success:!1}:{},...e?{cursor:e}:{}};return w(this.desk.api.rest.GET("/api/ai/turns",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.loader.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(xe(e),!0)}}};xn.styles=[z,Re],O([m({attribute:!1})],xn.prototype,"desk",2),O([g()],xn.prototype,"onlyFailed",2),xn=O([x("desk-turns")],xn);var _n=class extends p{constructor(){super(...arguments),this.theme="",this.days=30,this.loader=new nn(this,()=>w(this.desk.api.rest.GET("/api/ai/usage",{params:{query:{days:this.days}}})))}render(){return c`<div class="head">
<label class="row">
<span class="muted">Time</span>
<select @change=${this.choose}>
${[7,30,90].map(e=>c`<option value=${e} ?selected=${e===this.days}>Last ${e} days</option>`)}
</select>
</label>
</div>
${this.loader.show(e=>this.usage(e))}`}usage(e){let{budget:t}=e,s=t.budgetUsd?t.spentUsd/t.budgetUsd:0,i=this.desk.profile.admin?.limits,a=e.byDay.map(e=>ge(e.name));return c`<div class="grid">
<section class="card stack">
<h2>Budget of this month</h2>
<p><strong>${ue(t.spentUsd)}</strong> of ${ue(t.budgetUsd)} (${Math.round(100*s)}%)</p>
<meter
min="0"
max=${t.budgetUsd||1}
low=${.75*t.budgetUsd}
high=${.9*t.budgetUsd}
optimum="0"
value=${t.spentUsd}
aria-label="Spent of the budget"
></meter>
${i?c`<dl class="fields">
<dt>Plan</dt>
<dd>${we(this.desk.profile.admin.plan)}</dd>
<dt>Requests</dt>
<dd>
${pe(i.userPerMinute)} a minute for each user, ${pe(i.tenantPerHour)} an hour for
all
</dd>
</dl>`:u}
<p class="muted">
When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.
</p>
</section>
<section class="card">
<h2>Turns by day</h2>
${a.length?c`<desk-chart
caption="Turns by day"
.labels=${a}
.series=${[{name:"Answered",values:e.byDay.map(e=>e.turns-e.failed)},{name:"Failed",values:e.byDay.map(e=>e.failed)}]}
.format=${pe}
theme=${this.theme}
></desk-chart>`:c`<p class="muted">No turns yet.</p>`}
</section>
${this.table("By user",e.byUser,we)} ${this.table("By model",e.byModel,String)}
</div>
${e.truncated?c`<p class="muted">Only the newest 2,000 turns and commands are counted.</p>`:u}`}table(e,t,s){return c`<section class="card">
<h2>${e}</h2>
${t.length?this.rows(e,t,s):c`<p class="muted">No turns yet.</p>`}
</section>`}rows(e,t,s){return c`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table>
<thead>
<tr>
<th scope="col">${e.replace("By ","").replace(/^./,e=>e.toUpperCase())}</th>
<th scope="col" class="number">Turns</th>
<th scope="col" class="number">Failed</th>
<th scope="col" class="number">Tokens</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${t.map(e=>c`<tr>
<td class="name">${s(e.name)}</td>
<td class="number">${pe(e.turns)}</td>
<td class="number">${pe(e.failed)}</td>
<td class="number">${pe(e.inputTokens+e.outputTokens)}</td>
<td class="number">${ue(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>`}choose(e){this.days=Number(e.target.value),this.loader.load()}};_n.styles=[z,Re,h`meter{inline-size:100%;block-size:14px}`],O([m({attribute:!1})],_n.prototype,"desk",2),O([m()],_n.prototype,"theme",2),O([g()],_n.prototype,"days",2),_n=O([x("desk-usage")],_n);var Sn={"":"Usage",turns:"Turns",analytics:"Analytics",audit:"Audit",tools:"Tools",trust:"Roles",assistant:"Assistant",documents:"Documents",operations:"Health"},Tn=class extends p{constructor(){super(...arguments),this.path="",this.theme=""}render(){let[e=""]=this.path.split("/");return c`<div class="head"><h1>Console</h1></div>
<nav class="tabs head" aria-label="Console">
${Object.entries(Sn).map(([t,s])=>c`<a href="#/console${t?`/${t}`:""}" aria-current=${t===e?"page":u}
>${s}</a
>`)}
</nav>
${this.view()}`}view(){let{desk:e,theme:t}=this,[s="",i=""]=this.path.split("/");switch(s){case"turns":return i?c`<desk-turn .desk=${e} messageId=${i}></desk-turn>`:c`<desk-turns .desk=${e}></desk-turns>`;case"analytics":return c`<desk-analytics .desk=${e} theme=${t}></desk-analytics>`;case"audit":return c`<desk-audit .desk=${e}></desk-audit>`;case"tools":return c`<desk-tools .desk=${e}></desk-tools>`;case"trust":return c`<desk-trust .desk=${e}></desk-trust>`;case"assistant":return c`<desk-assistant-profile .desk=${e}></desk-assistant-profile>`;case"documents":return c`<desk-documents .desk=${e}></desk-documents>`;case"operations":return c`<desk-operations .desk=${e}></desk-operations>`;default:return c`<desk-usage .desk=${e} theme=${t}></desk-usage>`}}};Tn.styles=[z,Re],O([m({attribute:!1})],Tn.prototype,"desk",2),O([m()],Tn.prototype,"path",2),O([m()],Tn.prototype,"theme",2),Tn=O([x("desk-console")],Tn);var zn=class extends p{constructor(){super(...arguments),this.theme="",this.nextStep=null,this.briefing=null,this.busy="",this.isWithoutStep=!1}firstUpdated(){let e=e=>this.desk.profile.modules.includes(e);e("opportunities")&&(this.deals=new _e(this,"opportunity",!0)),e("activities")&&(this.activities=new _e(this,"activity",!0)),e("goals")&&(this.goals=new _e(this,"goal",!0));for(let e of[this.deals,this.activities,this.goals])e?.load();this.brief(),this.recommend()}render(){let e=(new Date).getHours(),t=e<12?"Good morning":e<18?"Good afternoon":"Good evening",s=this.desk.profile.name?.split(" ")[0];return c`<div class="head"><h1>${t}${s?`, ${s}`:""}</h1></div>
<div class="figures">${this.figures()}</div>
<div class="grid">
${this.deals?this.pipeline(this.deals.items):u} ${this.next()}
${this.goals?this.goalList():u} ${this.changes()} ${this.briefed()}
</div>`}figures(){let e=(this.deals?.items??[]).filter(e=>Ce(e)),t=e.map(e=>({...e,amount:Number(e.amount??0)*Number(e.probability??0)/100})),s=(this.activities?.items??[]).filter(e=>"scheduled"===e.status).map(e=>me(e.due_at)).filter(e=>null!==e),i=s.filter(e=>e.getTime()<Date.now()).length,a=s.filter(e=>0===ve(e)&&e.getTime()>=Date.now()).length,n=(e,t,s)=>c`<div class="card figure"><strong>${t}</strong><a class="link" href=${s}>${e}</a></div>`;return[...this.deals?[n("Open pipeline",this.deals.isLoading?"…":et(e),"#/opportunities"),n("Weighted",this.deals.isLoading?"…":et(t),"#/opportunities"),n("Open deals",this.deals.isLoading?"…":e.length,"#/opportunities")]:[],...this.activities?[n("Still due today",this.activities.isLoading?"…":a,"#/activities"),n("Overdue",this.activities.isLoading?"…":i,"#/activities")]:[]]}pipeline(e){let t=e.filter(t=>Ce(t)&&(t.currency??"USD")===En(e)),s=new Map;for(let e of t){let t=String(e.owner??"Nobody");s.set(t,(s.get(t)??0)+Number(e.amount??0))}let i=[...s].sort((e,t)=>t[1]-e[1]).map(([e])=>e),a=i.slice(0,4),n=ke(this.desk),r=n.filter(e=>"open"===e.outcome),l=(e,s)=>t.filter(t=>Me(t,"stage",n)===e&&s(String(t.owner??"Nobody"))).reduce((e,t)=>e+Number(t.amount??0),0),o=a.map(e=>({name:we(e),values:r.map(t=>l(t,t=>t===e))}));if(i.length>a.length){let e=e=>!a.includes(e);o.push({name:"Others",values:r.map(t=>l(t,e))})}let d=En(e),h=new Set(e.map(e=>e.currency??"USD")).size>1;return c`<section class="card">
<h2>Pipeline by stage and owner${h?c` <span class="muted">in ${d}</span>`:u}</h2>
${t.length?c`<desk-chart
caption="Open pipeline by stage and owner"
.labels=${r.map(e=>e.label)}
.series=${o}
.format=${e=>ce(e,d,!0)}
theme=${this.theme}
></desk-chart>`:c`<p class="muted">${this.deals.isLoading?"Loading…":"No open deals."}</p>`}
</section>`}goalList(){let e=this.goals;return c`<section class="card">
<h2>Goals</h2>
${e.items.length?c`<ul>
${e.items.map(e=>{let t=Number(e.progress??0);return c`<li>
<div class="row">
<strong>${e.display_name}</strong><span class="muted">${e.period??""}</span>
<span class="end">${t}%</span>
</div>
<progress max="100" value=${t} aria-label=${e.display_name}></progress>
</li>`})}
</ul>`:c`<p class="muted">${e.isLoading?"Loading…":"No goals are set."}</p>`}
</section>`}changes(){let e=this.desk.feed.recent.slice(0,6);return c`<section class="card">
<h2>Latest changes</h2>
${e.length?c`<ul>
${e.map(e=>c`<li>
${e.isOwn?"You":e.user} ${Oe(e)}
<span class="muted">${be(e.at)}, ${fe(e.at)}</span>
</li>`)}
</ul>`:c`<p class="muted">What the assistant changes shows here at once, with who asked for it.</p>`}
</section>`}next(){let e=this.nextStep,t=e?.scanType;return c`<section class="card stack">
<h2>Next step</h2>
${e?c`<p>${e.response||e.reason}</p>
${t?c`<div>
<button class="button primary" ?disabled=${""!==this.busy} @click=${()=>this.run(t)}>
${this.busy===t?"Scanning…":`Run the scan “${we(t)}”`}
</button>
</div>`:u}
<dl class="fields">
${Object.entries(e.statistics??{}).map(([e,t])=>c`<dt>${we(e.replace(/([A-Z])/g," $1").toLowerCase())}</dt>
<dd>${t}</dd>`)}
</dl>`:c`<p class="muted">
${this.isWithoutStep?"No recommendation right now.":"Looking at your pipeline…"}
</p>`}
</section>`}briefed(){return c`<section class="card stack">
<h2>Briefing</h2>
<p>${this.briefing?.text??"…"}</p>
</section>`}async brief(){let e={variant:"full",timeframeHours:24};try{this.briefing=await w(this.desk.api.rest.GET("/api/ai/scan-briefing",{params:{query:e}}))}catch(e){this.briefing={success:!1,text:xe(e),data:null}}}async recommend(){try{this.nextStep=await w(this.desk.api.rest.POST("/api/ai/next-step",{body:{}}))}catch{this.isWithoutStep=!0}}async run(e){this.busy=e;try{await this.desk.api.rest.POST("/api/ai/scans",{params:{header:{"Idempotency-Key":$()}},body:{scanType:e}}),await Promise.all([this.brief(),this.recommend()]),this.desk.tell("The scan is done: see the briefing.")}catch(e){this.desk.tell(xe(e),!0)}this.busy=""}};function En(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+1)}return[...t].sort((e,t)=>t[1]-e[1])[0]?.[0]??"USD"}zn.styles=[z,Re,h`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figure strong{display:block;font-size:22px;letter-spacing:-.02em;font-variant-numeric:tabular-nums}.grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr))}.grid>:last-child{grid-column:1 / -1}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}`],O([m({attribute:!1})],zn.prototype,"desk",2),O([m()],zn.prototype,"theme",2),O([g()],zn.prototype,"nextStep",2),O([g()],zn.prototype,"briefing",2),O([g()],zn.prototype,"busy",2),O([g()],zn.prototype,"isWithoutStep",2),zn=O([x("desk-dashboard")],zn);var An=class extends EventTarget{constructor(e){super(),this.api=e,this.recent=[],this.isLost=!1,this.marked=new Map,this.next=null,this.failures=0,this.isPolling=!1,this.isAsked=!1,this.isStopped=!0,this.poke=()=>{this.isPolling?this.isAsked=!0:this.isStopped||this.poll()}}start(){this.isStopped=!1,document.addEventListener("visibilitychange",this.poke),addEventListener("online",this.poke),this.poll()}stop(){this.isStopped=!0,clearTimeout(this.timer),document.removeEventListener("visibilitychange",this.poke),removeEventListener("online",this.poke)}markOf(e){return this.marked.get(e)}async poll(){clearTimeout(this.timer),this.isPolling=!0;let e=!1;try{let t=null===this.next?{}:{since:this.next},s=await w(this.api.rest.GET("/api/crm/changes",{params:{query:t}})),i=null===this.next;this.next=s.next,e=s.hasMore,this.recent=[...s.items.toReversed(),...this.recent].slice(0,50),this.setLost(0),!i&&s.items.length?this.publish(s.items):i&&this.dispatchEvent(new CustomEvent("changes",{detail:[]}))}catch{this.setLost(this.failures+1)}if(this.isPolling=!1,this.isStopped)return;let t=e||this.isAsked;this.isAsked=!1,this.timer=setTimeout(()=>{this.poll()},t?0:this.waitMs())}publish(e){for(let t of e)this.marked.set(t.entity.id,t),setTimeout(()=>{this.marked.get(t.entity.id)===t&&(this.marked.delete(t.entity.id),this.dispatchEvent(new Event("marks")))},12e3);this.dispatchEvent(new CustomEvent("changes",{detail:e}))}setLost(e){this.failures=e;let t=e>1;t!==this.isLost&&(this.isLost=t,this.dispatchEvent(new Event("state")))}waitMs(){let e=document.hidden?3e4:2500;return Math.min(e*2**Math.min(this.failures,5),Math.max(6e4,e))}},Mn=new Set(["id","entity_type","display_name","version","custom","first_name","last_name","name"]),Cn=["created_at","updated_at"],Dn=class extends p{constructor(){super(...arguments),this.recordId="",this.record=null,this.error="",this.take=e=>{let t=e.detail.findLast(e=>e.entity.id===this.recordId);t&&(t.record?(this.record=t.record,this.error=""):this.error=`${t.entity.name} was deleted by ${t.isOwn?"you":t.user}.`)}}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}willUpdate(e){e.has("recordId")&&this.load()}render(){if(this.error)return qe(this.error,()=>this.load());let e=this.record;if(!e)return Ge;let t=this.desk.feed.markOf(e.id);return c`<div class="head">
<a class="link" href="#/${this.kind.page}">${Ee(this.kind,this.desk.profile.labels,!0)}</a>
<span class="muted" aria-hidden="true">/</span>
<h1 dir="auto">${e.display_name}</h1>
${["stage","status","health"].filter(t=>e[t]).slice(0,1).map(t=>We(e,t))}
${t?c`<span class="badge accent">${t.isOwn?"You":t.user} ${Oe(t)}</span>`:u}
</div>
<div class="row asks">${this.asks(e)}</div>
<div class="columns">
<section class="card ${t?"marked":""}">
<h2>Details</h2>
<dl class="fields">
${this.fields(e).map(t=>c`<dt>${we(De(t))}</dt>
<dd dir="auto">${this.value(e,t)}</dd>`)}
</dl>
</section>
${"note"===this.kind.type||"activity"===this.kind.type?u:c`<div class="stack">
<section class="card">
<h2>Activities</h2>
${this.related(this.activities,"No activities yet.")}
</section>
<section class="card">
<h2>Notes</h2>
${this.related(this.notes,"No notes yet.")}
</section>
</div>`}
</div>`}fields(e){return[...Object.keys(e).filter(e=>!Cn.includes(e)),...Cn].filter(t=>{let s=e[t]??"",i=null===s||""===s||Array.isArray(s)&&!s.length;return!(Mn.has(t)||i||t.endsWith("_id")||t.startsWith("do_not"))})}value(e,t){let s=e[t];if("related"===t&&s?.id){let e=Te(s.type??"")?.page;return e?c`<a class="link" href="#/${e}/${s.id}">${s.name}</a>`:s.name}return Le(e,t)}asks(e){let t=((e,t)=>{let s=t.display_name;switch(this.kind.type){case"activity":return"scheduled"===t.status?[`Mark the activity “${s}” as completed`]:[];case"lead":case"contact":case"account":case"opportunity":return[`What should I do next with ${s}?`,`Give me a summary of ${s}`,`Schedule a call with ${s} tomorrow at 10`];default:return[]}})(0,e).map(e=>c`<button class="button" @click=${()=>this.desk.ask(e)}>${e}</button>`);if("opportunity"!==this.kind.type)return t;let s=ke(this.desk),i=Me(e,"stage",s);return[c`<label class="row">
<span class="muted">Move to</span>
<select
.value=${i?.key??""}
@change=${t=>this.move(t.target,e)}
>
${i?u:c`<option value="" selected>${Le(e,"stage")}</option>`}
${s.map(e=>c`<option value=${e.key} ?selected=${e===i}>${e.label}</option>`)}
</select>
</label>`,...t]}move(e,t){let s=ke(this.desk),i=s.find(t=>t.key===e.value);i&&this.desk.ask(Ue(i.label,t)),e.value=Me(t,"stage",s)?.key??""}related(e,t){return!e||e.isLoading?c`<p class="muted">Loading…</p>`:e.error?c`<p class="error">${e.error}</p>`:e.items.length?c`<ul>
${e.items.map(e=>c`<li class=${this.desk.feed.markOf(e.id)?"marked":""}>
<div dir="auto">${e.content??e.display_name}</div>
<span class="muted">
${ye(e.due_at?e.due_at:e.created_at)}
${e.owner?`· ${we(String(e.owner))}`:u}
</span>
${e.status?We(e,"status"):Ie(e.note_type)}
</li>`)}
</ul>`:c`<p class="muted">${t}</p>`}async load(){this.record=null,this.error="",this.desk.feed.addEventListener("changes",this.take);let e=this.recordId;try{let t={type:this.kind.type,id:e},s=await w(this.desk.api.rest.GET("/api/crm/{type}/{id}",{params:{path:t}}));if(e!==this.recordId)return;this.record=s}catch(t){return void(e===this.recordId&&(this.error=xe(t)))}"note"===this.kind.type||"activity"===this.kind.type||(this.activities??=new _e(this,"activity"),this.notes??=new _e(this,"note"),this.activities.load({related_id:e}),this.notes.load({related_id:e}))}};function Ln(e,t){return c`<ul>
${e.map(({id:e,text:s,about:i})=>c`<li>
<span dir="auto">${s}${i?c` <span class="muted">${i}</span>`:u}</span>
<button class="button" aria-label="Delete: ${s}" @click=${()=>t(e)}>Delete</button>
</li>`)}
</ul>`}Dn.styles=[z,Re,h`.columns{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));align-items:start}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.asks{margin-block-end:var(--aisha-4)}.stack{display:grid;gap:var(--aisha-4)}`],O([m({attribute:!1})],Dn.prototype,"desk",2),O([m({attribute:!1})],Dn.prototype,"kind",2),O([m()],Dn.prototype,"recordId",2),O([g()],Dn.prototype,"record",2),O([g()],Dn.prototype,"error",2),Dn=O([x("desk-record")],Dn);var Nn=class extends p{constructor(){super(...arguments),this.loaded=null,this.error="",this.add=async e=>{e.preventDefault();let t=e.target,s=String(new FormData(t).get("text")??"").trim();s&&await this.try(()=>this.desk.api.rest.POST("/api/ai/instructions",{body:{text:s}}))&&t.reset()}}firstUpdated(){this.load()}render(){if(this.error)return qe(this.error,()=>this.load());let e=this.loaded;return e?c`<div class="head"><h1>Settings</h1></div>
<div class="grid">
<section class="card">
<h2 id="mode">How it answers</h2>
<fieldset aria-labelledby="mode">
${Object.entries(e.modes).map(([t,s])=>c`<label>
<input
type="radio"
name="mode"
.checked=${t===e.mode}
@change=${()=>this.setMode(t)}
/>
<strong>${we(t)}</strong><span class="muted">${s}</span>
</label>`)}
</fieldset>
</section>
<section class="card">${this.instructions(e)}</section>
<section class="card stack">${this.notifications(e.settings)}</section>
<section class="card">
<h2>Due and coming up</h2>
${e.coming.length?c`<ul>
${e.coming.map(e=>c`<li>
<span>${e.title}</span><span class="muted">${e.dueAt?ye(e.dueAt):""}</span>
</li>`)}
</ul>`:c`<p class="muted">Nothing is due. Ask the assistant to remind you of something.</p>`}
</section>
<section class="card">
<h2>Memories</h2>
${e.memories.length?Ln(e.memories.map(e=>({...e,about:ge(e.updatedAt)})),e=>this.forget("/api/ai/memories/{id}",e)):c`<p class="muted">Nothing yet. Say “remember that ABC Corp pays late”.</p>`}
</section>
<section class="card">
<h2>Sticky notes</h2>
${e.notes.length?Ln(e.notes.map(e=>({...e,about:e.dueAt?ye(e.dueAt):""})),e=>this.forget("/api/ai/sticky-notes/{id}",e)):c`<p class="muted">Nothing yet. Say “remind me to buy flowers tomorrow”.</p>`}
</section>
</div>`:Ge}instructions(e){return c`<h2>Standing instructions</h2>
${e.instructions.length?Ln(e.instructions,e=>this.forget("/api/ai/instructions/{id}",e)):c`<p class="muted">Say once what it should always keep to, such as “Give amounts in euros”.</p>
<br />`}
<form @submit=${this.add}>
<input
name="text"
required
maxlength=${300}
aria-label="New instruction"
placeholder="New instruction"
/>
<button class="button primary">Add</button>
</form>`}notifications(e){let t=t=>{this.save({...e,...t})};return c`<h2>Notifications</h2>
<label class="field"
>Also sent by
<select
.value=${e.channel}
@change=${e=>t({channel:e.target.value})}
>
<option value="in_app" ?selected=${"in_app"===e.channel}>Nothing else: in the app alone</option>
<option value="email" ?selected=${"email"===e.channel}>Email</option>
</select>
</label>
<label class="row">
<input
type="checkbox"
.checked=${e.digest??!1}
@change=${e=>t({digest:e.target.checked})}
/>
A digest every day
</label>
<label class="field"
>At
<select
.value=${String(e.digestHour)}
?disabled=${!e.digest}
@change=${e=>t({digestHour:Number(e.target.value)})}
>
${Array.from({length:24},(t,s)=>{let i=`${String(s).padStart(2,"0")}:00`;return c`<option value=${s} ?selected=${s===e.digestHour}>${i}</option>`})}
</select>
<span class="muted">${e.zone??u}</span>
</label>`}async load(){this.error="";let{rest:e}=this.desk.api;try{let[t,s,i,a,n,r,l]=await Promise.all([w(e.GET("/api/ai/mode")),w(e.GET("/api/ai/models")),w(e.GET("/api/ai/instructions")),w(e.GET("/api/ai/memories")),w(e.GET("/api/ai/sticky-notes")),w(e.GET("/api/ai/notifications/settings")),w(e.GET("/api/ai/notifications",{params:{query:{includeComing:!0}}}))]);this.loaded={mode:t.mode,modes:s.modes,instructions:i.items,memories:a.items,notes:n.items,settings:r,coming:l.notifications}}catch(e){this.error=xe(e)}}async setMode(e){await this.try(()=>this.desk.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:e}}}))}async forget(e,t){await this.try(()=>this.desk.api.rest.DELETE(e,{params:{path:{id:t}}}),"Deleted.")}async save(e){let{channel:t,digest:s,digestHour:i}=e;await this.try(()=>this.desk.api.rest.POST("/api/ai/notifications/settings",{body:{channel:t,digest:s,digestHour:i}}))}async try(e,t="Saved."){try{return await e(),this.desk.tell(t),!0}catch(e){return this.desk.tell(xe(e),!0),!1}finally{await this.load()}}};Nn.styles=[z,Re,h`ul{display:grid;gap:var(--aisha-2);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{display:flex;align-items:center;justify-content:space-between;gap:var(--aisha-3);overflow-wrap:anywhere}fieldset{display:grid;gap:var(--aisha-3);border:0;margin:0;padding:0}fieldset label{display:grid;grid-template-columns:auto 1fr;gap:2px var(--aisha-2);align-items:center}fieldset .muted{grid-column:2}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:18px;block-size:18px;accent-color:var(--aisha-accent-fill)}form{display:flex;gap:var(--aisha-2)}form input{flex:1;min-inline-size:0}`],O([m({attribute:!1})],Nn.prototype,"desk",2),O([g()],Nn.prototype,"loaded",2),O([g()],Nn.prototype,"error",2),Nn=O([x("desk-settings")],Nn);var On={title:"Owner",cell:e=>e.owner?we(String(e.owner)):"—"},Pn={lead:[{title:"Company",cell:e=>e.company??"—"},{title:"Status",cell:e=>We(e,"status")},{title:"Score",cell:e=>e.score??"—",isNumber:!0},{title:"Value",cell:e=>ce(e.estimated_value??NaN),isNumber:!0},{title:"Last contact",cell:e=>be(e.last_contacted_at)},On],contact:[{title:"Company",cell:e=>e.company??"—"},{title:"Job title",cell:e=>e.job_title??"—"},{title:"Email",cell:e=>e.email??"—"},{title:"Last contact",cell:e=>be(e.last_contacted_at)},On],account:[{title:"Industry",cell:e=>e.industry??"—"},{title:"Type",cell:e=>We(e,"type")},{title:"Health",cell:e=>We(e,"health")},{title:"Revenue",cell:e=>ce(e.annual_revenue??NaN,"USD",!0),isNumber:!0},On],note:[{title:"About",cell:e=>e.related?.name??"—"},{title:"Type",cell:e=>Ie(e.note_type)},{title:"Written",cell:e=>be(e.created_at)},On]},Un={lead:"status",account:"health"},Rn=class extends p{constructor(){super(...arguments),this.search="",this.status=""}willUpdate(e){e.has("kind")&&(this.list?.hostDisconnected(),this.list=new _e(this,this.kind.type),[this.search,this.status]=["",""],this.list.load())}render(){let e=this.list,t=Ee(this.kind,this.desk.profile.labels,!0);return c`<div class="head">
<h1>${t}</h1>
<span class="muted">${e.total??""}</span>
<search class="row end">
${this.statuses()}
<input
type="search"
placeholder="Search by name"
aria-label="Search ${t.toLowerCase()}"
.value=${this.search}
@input=${e=>this.find(e.target.value)}
/>
</search>
</div>
${this.content(e,t)}`}content(e,t){if(e.error)return qe(e.error,()=>this.load());if(e.isLoading&&!e.items.length)return Ge;if(!e.items.length)return Fe(this.search||this.status?"Nothing fits this search.":`There are no ${t.toLowerCase()} yet.`);let s=Pn[this.kind.type]??[On];return c`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
<table>
<thead>
<tr>
<th scope="col">Name</th>
${s.map(e=>c`<th scope="col" class=${e.isNumber?"number":""}>${e.title}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>this.row(e,s))}
</tbody>
</table>
</div>
${e.next?c`<p class="head"></p>
<button class="button" ?disabled=${e.isLoading} @click=${()=>e.more()}>Show more</button>`:u}`}row(e,t){let s=this.desk.feed.markOf(e.id);return c`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/${this.kind.page}/${e.id}">${e.display_name}</a>
${s?c` <span class="badge accent">${s.action} by ${s.isOwn?"you":s.user}</span>`:u}
</td>
${t.map(t=>c`<td class=${t.isNumber?"number":""} dir="auto">${t.cell(e)}</td>`)}
</tr>`}statuses(){let e=Un[this.kind.type],t=e&&this.desk.profile.values[`${this.kind.type}.${e}`]||[];return e&&t.length?c`<select
aria-label=${we(e)}
.value=${this.status}
@change=${e=>{this.status=e.target.value,this.load()}}
>
<option value="">Any ${e}</option>
${t.map(e=>c`<option value=${e.key} ?selected=${e.key===this.status}>${e.label}</option>`)}
</select>`:u}find(e){this.search=e,clearTimeout(this.timer),this.timer=setTimeout(()=>{this.load()},250)}load(){return this.list.load({...this.search.trim()?{name_contains:this.search.trim()}:{},...this.status?{status:this.status}:{}})}};Rn.styles=[z,Re],O([m({attribute:!1})],Rn.prototype,"desk",2),O([m({attribute:!1})],Rn.prototype,"kind",2),O([g()],Rn.prototype,"search",2),O([g()],Rn.prototype,"status",2),Rn=O([x("desk-table")],Rn);var jn=matchMedia("(max-width: 1100px)"),In=["alice","bob"],Wn="aisha.desk.theme",Fn="aisha.desk.user",qn={dashboard:"",pipeline:"opportunities",goals:"",documents:"console/documents"},Gn=class extends p{constructor(){super(...arguments),this.api="",this.token=null,this.desk=null,this.error="",this.path="",this.user=localStorage.getItem(Fn)??In[0],this.theme=localStorage.getItem(Wn)??"midnight",this.told=null,this.source=e=>this.token?this.token(e):this.localToken(),this.follow=()=>{let e=(e=>{try{return decodeURIComponent(e)}catch{return e}})(location.hash.replace(/^#\/?/,""));e!==this.path&&(this.path=e,this.main?.scrollTo(0,0))},this.navigate=e=>{let{page:t,record:s}=e.detail,i=s?Te(s.type):void 0;s&&i?this.go(`${i.page}/${s.id}`):t&&this.go(qn[t]??t)}}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),this.follow(),this.start()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),this.desk?.feed.stop()}willUpdate(e){e.has("theme")&&(this.dataset.theme=this.theme),document.title=`${this.pageName} · ${this.deskName}`}render(){return c`${this.told?c`<p class="told ${this.told.isError?"error":""}" role="alert">${this.told.text}</p>`:u}
<header class="top">
<a class="skip" href="#/${this.path}" @click=${this.skip}>Go to the content</a>
<strong>${this.deskName}</strong>
${this.desk?.feed.isLost?c`<span class="lost" role="status">The server does not answer; trying again…</span>`:u}
<span class="end"></span>
${this.desk?c`<desk-bell .desk=${this.desk}></desk-bell>`:u} ${this.users()}
<button class="button" @click=${()=>this.setTheme("light"===this.theme?"midnight":"light")}>
${"light"===this.theme?"Dark":"Light"}
</button>
</header>
${this.navigation()}
<main id="content" tabindex="-1">
${this.error?qe(this.error,()=>this.start()):this.desk?this.page(this.desk,this.path):Ge}
</main>
${this.desk?this.side(this.desk):u}`}side(e){let[t="",s=""]=this.path.split("/"),i=s?ze(t):void 0;return c`<aisha-assistant
.token=${this.source}
api=${this.api}
theme=${this.theme}
name=${e.profile.assistantName}
?minimised=${jn.matches}
page=${t||"dashboard"}
record-type=${i?.type??""}
record-id=${i?s:""}
@recordchanged=${()=>e.feed.poke()}
@navigate=${this.navigate}
></aisha-assistant>
<desk-changes .desk=${e}></desk-changes>`}navigation(){let e=this.desk?.profile,[t=""]=this.path.split("/"),s=(e,s)=>c`<a href="#/${e}" aria-current=${e===t||"activities"===e&&"calendar"===t?"page":u}>${s}</a>`;return c`<nav class="pages" aria-label="Pages">
${s("","Overview")}
${Se.filter(t=>e?.modules.includes(t.module)).map(t=>s(t.page,Ee(t,e?.labels??{},!0)))}
<hr />
${s("settings","Settings")} ${e?.isAdmin?s("console","Console"):u}
</nav>`}get deskName(){return`${this.desk?.profile.assistantName??"AiSHA"} desk`}get pageName(){let[e=""]=this.path.split("/"),t=ze(e);return t?Ee(t,this.desk?.profile.labels??{},!0):["calendar","console","settings"].includes(e)?we(e):"Overview"}page(e,t){let[s="",i=""]=t.split("/"),a=ze(s);return"calendar"===s?c`<desk-activities .desk=${e} view="calendar"></desk-activities>`:"settings"===s?c`<desk-settings .desk=${e}></desk-settings>`:"console"===s&&e.profile.isAdmin?c`<desk-console
.desk=${e}
path=${t.slice(8)}
theme=${this.theme}
></desk-console>`:a?i?c`<desk-record .desk=${e} .kind=${a} recordId=${i}></desk-record>`:"opportunity"===a.type?c`<desk-board .desk=${e}></desk-board>`:"activity"===a.type?c`<desk-activities .desk=${e} view="list"></desk-activities>`:c`<desk-table .desk=${e} .kind=${a}></desk-table>`:c`<desk-dashboard .desk=${e} theme=${this.theme}></desk-dashboard>`}users(){return this.isLocal?c`<label class="row">
<span class="muted user">Signed in as</span>
<select .value=${this.user} @change=${e=>this.signIn(e.target.value)}>
${In.map(e=>c`<option value=${e} ?selected=${e===this.user}>${we(e)}</option>`)}
</select>
</label>`:u}get isLocal(){return null===this.token&&["localhost","127.0.0.1","[::1]"].includes(location.hostname)}signIn(e){localStorage.setItem(Fn,e),location.reload()}async localToken(){let e=await fetch(`${this.api}/local/token?user=${encodeURIComponent(this.user)}&tenant=demo`);if(!e.ok)throw new Error("Nobody is signed in. Start the local server with `make run`.");return(await e.json()).token}async start(){this.error="",this.client??=b({api:this.api,token:this.source,door:"widget"});let e,t=this.client;try{e=await w(t.rest.GET("/api/ai/profile"))}catch(e){return void(this.error=xe(e))}let s=new An(t);s.addEventListener("state",()=>this.requestUpdate()),this.desk={api:t,feed:s,profile:e,tell:(e,t=!1)=>this.tell(e,t),ask:e=>this.assistant?.ask(e),go:e=>this.go(e)},s.start()}go(e){location.hash=`#/${e}`}skip(e){e.preventDefault(),this.main?.focus()}setTheme(e){this.theme=e,localStorage.setItem(Wn,e)}tell(e,t){this.told={text:e,isError:t},clearTimeout(this.timer),this.timer=setTimeout(()=>this.told=null,6e3)}};Gn.styles=[T,z,Re,h`:host{display:grid;grid-template:auto minmax(0,1fr) / 208px minmax(0,1fr) auto;block-size:100dvh;overflow:hidden;background:var(--aisha-bg);font-family:var(--aisha-font);line-height:1.45}.skip{position:absolute;inset-inline-start:var(--aisha-2);inset-block-start:-60px;z-index:10;background:var(--aisha-raised);padding:var(--aisha-3)}.skip:focus{inset-block-start:var(--aisha-2)}.top{grid-column:1 / 3;display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-2) var(--aisha-4);border-block-end:1px solid var(--aisha-line)}.top strong{font-size:var(--aisha-text-m);white-space:nowrap}.top .end{margin-inline-start:auto}nav.pages{display:flex;flex-direction:column;gap:2px;padding:var(--aisha-3) var(--aisha-2);border-inline-end:1px solid var(--aisha-line);overflow-y:auto}nav.pages a{padding:9px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none;white-space:nowrap}nav.pages a:hover{background:var(--aisha-hover);color:var(--aisha-ink)}nav.pages a[aria-current=page]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}nav.pages hr{inline-size:100%;border:0;border-block-start:1px solid var(--aisha-line)}main{overflow-y:auto;padding:var(--aisha-5);min-inline-size:0}aisha-assistant{grid-row:1 / 3;grid-column:3;inline-size:400px}aisha-assistant[minimised]{inline-size:0}.told{position:fixed;inset-block-start:var(--aisha-4);inset-inline-start:50%;transform:translate(-50%);z-index:6;max-inline-size:min(520px,calc(100vw - 32px));padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow)}@media(max-width:600px){.user{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}}.lost{color:var(--aisha-warn)}@media(max-width:1100px){:host{grid-template:auto auto minmax(0,1fr) / minmax(0,1fr)}.top,nav.pages,main{grid-column:1}nav.pages{flex-direction:row;padding:var(--aisha-1) var(--aisha-2);border-inline-end:0;border-block-end:1px solid var(--aisha-line);overflow-x:auto}nav.pages hr{display:none}main{padding:var(--aisha-4);padding-block-end:96px}.top{gap:var(--aisha-2)}aisha-assistant{grid-column:1;grid-row:3;inline-size:0;block-size:0}}`],O([m()],Gn.prototype,"api",2),O([m({attribute:!1})],Gn.prototype,"token",2),O([g()],Gn.prototype,"desk",2),O([g()],Gn.prototype,"error",2),O([g()],Gn.prototype,"path",2),O([g()],Gn.prototype,"user",2),O([g()],Gn.prototype,"theme",2),O([g()],Gn.prototype,"told",2),O([f("aisha-assistant")],Gn.prototype,"assistant",2),O([f("main")],Gn.prototype,"main",2),Gn=O([x("aisha-desk")],Gn);