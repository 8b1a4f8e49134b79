/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as s,C as t,D as i,E as a,F as n,G as o,H as r,I as l,K as h,L as d,a as c,b as p,c as u,d as m,e as g,f as y,g as v,h as b,i as f,j as w,k as $,l as k,m as x,n as z,o as _,p as C,q as E,r as B,t as R,u as A,v as M,x as q,y as L,z as O}from"./parts/chunk-N37ZOZZD.js";import{a as S}from"./parts/chunk-DHP5BHIK.js";async function T({rest:e},s){await e.POST("/api/ai/analytics",{body:s}).catch(()=>{})}var U=class extends m{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.editing="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1,this.draft=null}fill(e){this.text=e,this.area.value=e,this.fit()}edit(e){this.draft??=this.text,this.fill(e),this.area.focus(),this.area.setSelectionRange(e.length,e.length)}updated(e){e.has("editing")&&!this.editing&&null!==this.draft&&(this.fill(this.draft),this.draft=null),this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,s=this.text.length-8e3;return p`${this.editing?this.change():u}
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
${this.busy?p`<button
class="icon-button send stop"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${B("stop",16)}
</button>`:p`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||s>0||this.listening}
@click=${this.send}
>
${B("send")}
</button>`}
</div>
${s>0?p`<p class="problem" role="alert">${e.say("too_long",{count:e.number(s)})}</p>`:u}`}change(){let e=this.words.say("stop_editing");return p`<div class="editing">
${B("edit",15)}
<span id="editing">${this.editing}</span>
<button class="icon-button small" aria-label=${e} title=${e} @click=${this.leave}>
${B("close",15)}
</button>
</div>`}call(){let e=this.words.say("call");return p`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${B("call")}
</button>`}plan(){let e=this.words.say("plan_first");return p`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${B("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return p`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>P(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>P(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${B("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?"Escape"===e.key&&this.editing?this.leave():("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let s=this.recalled+("ArrowUp"===e.key?1:-1);s>=this.earlier.length||(e.preventDefault(),this.fill(s<0?"":this.earlier[s]),this.recalled=s,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}leave(){this.tell("cancel"),this.area.focus()}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,s){this.dispatchEvent(new CustomEvent(e,{detail:s}))}};function P(e){return" "===e.key||"Enter"===e.key}U.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},U.styles=[A,c`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}@media(max-width:380px){textarea::placeholder{font-size:var(--aisha-text-s)}}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.stop svg{fill:currentColor}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.editing{display:flex;align-items:center;gap:var(--aisha-2);max-inline-size:760px;margin:0 auto var(--aisha-1);padding-inline-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-muted)}.editing svg{flex:none}.editing span{flex:1}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],S([g({attribute:!1})],U.prototype,"words",2),S([g({attribute:!1})],U.prototype,"earlier",2),S([g()],U.prototype,"placeholder",2),S([g()],U.prototype,"heard",2),S([g()],U.prototype,"editing",2),S([g({type:Boolean})],U.prototype,"busy",2),S([g({type:Boolean})],U.prototype,"listening",2),S([g({type:Boolean})],U.prototype,"voice",2),S([g({type:Boolean})],U.prototype,"planning",2),S([g({type:Boolean})],U.prototype,"calls",2),S([y()],U.prototype,"text",2),S([v("textarea")],U.prototype,"area",2),U=S([z("aisha-composer")],U);var D="/api/ai/next-step";function j(e){let s=e.metadata;return M({id:e.id,role:e.role,text:e.content,at:new Date(e.createdAt),state:e.finished?"done":"unfinished",isReplaceable:s?.isReplaceable??!1,steps:e.toolCalls.map(N),sources:s?.sources??[],insights:s?.insights??[],nextSteps:s?.nextSteps??[],recommendedScans:s?.recommendedScans??[],followUps:s?.followUps??[],mood:s?.mood??null,usage:s?I(s):null})}function I({provider:e,model:s,usage:t,timing:i}){return s&&t&&i?{provider:e??"",model:s,degraded:!1,usage:t,timing:i}:null}function N(e){return{id:e.id,tool:e.name,arguments:e.arguments??{},state:"executed"===e.status?"done":"pending"===e.status?"waiting":"failed",startedAt:0,durationMs:null,outcome:e.line}}var K="/api/ai/flow-chat",G=new Set([404,409,410]),V=class{constructor(e){this.host=e,this.id=null,this.title="",this.messages=[],this.entities=[],this.mood=null,this.phase="idle",this.isLoading=!1,this.loadError=null,this.running=null,this.sent=new Map}get pending(){let e=this.messages.findLast(({role:e,id:s})=>"assistant"===e&&s);return e?.confirmation&&!e.decision?e:null}get spoken(){return this.messages.filter(e=>"user"===e.role).map(e=>e.text).reverse()}get editable(){let e=this.messages.at(-2);return"idle"===this.phase&&"user"===e?.role?e:null}isReplaceable(e){let{editable:s}=this;return s?.key===e&&(this.messages.at(-1)?.isReplaceable??!1)}async send(e,s=null){let t=e.trim();if(!t||"idle"!==this.phase)return;let i=null!==s&&this.isReplaceable(s)?this.messages.slice(-2):[],a=i[1]?.id,n=M({role:"assistant",state:"streaming"});this.settlePending(),this.messages=[...this.messages,M({role:"user",text:t}),n];let o=this.host.isPlanning()?K:"/api/ai/chat",r={...this.body(),message:t,...a?{replaces:a}:{}};await this.run(n.key,{path:o,body:r,key:k(),replaced:i})}async recommend(e){if("idle"!==this.phase)return null;let s=M({role:"assistant",state:"streaming",followUps:[e]});return this.messages=[...this.messages,s],await this.run(s.key,{path:D,body:this.host.request(),key:k(),replaced:[]}),"done"===this.find(s.key)?.state}async answerAgain(e){let{editable:s}=this;s&&this.messages.at(-1)?.key===e&&await this.send(s.text,s.key)}async retry(e){let s=this.sent.get(e);if(!s||"idle"!==this.phase)return;let t="invalid_input"===this.find(e)?.error?.code;this.patch(e,{state:"streaming",error:null,at:new Date}),s.asked&&this.patch(s.asked.key,{decision:s.body.userConfirmation?"approved":"rejected"}),await this.run(e,t?{...s,key:k()}:s)}stop(){this.running?.abort(new DOMException("stopped","AbortError"))}async decide(e,s,i=null){let a=this.find(e);if(!a?.confirmation||a.decision||"idle"!==this.phase)return;let{id:n}=a.confirmation,o=M({role:"assistant",state:"streaming"}),r="approve"===s;this.patch(e,{decision:r?"approved":"rejected",plan:t(a.confirmation,i),followUps:[]}),this.messages=[...this.messages,o],await this.run(o.key,{path:K,body:{...this.host.request(),userConfirmation:r,confirmationId:n,...null===i?{}:{choice:i}},key:`${n}:${s}:${H(i??"")}`,asked:a,replaced:[]})}async undo(e){let s=this.find(e);if(!s?.changes.length||s.undo)return;this.patch(e,{undo:"running"});let{undone:t,error:i}=await n(this.host.api,s.changes);this.patch(e,{undo:i?null:"done"});let a=M({role:"system",changes:t,error:i});this.messages=[...this.messages,a],this.take({changes:t,navigation:null,isUndo:!0}),this.host.changed(),this.host.answered(a)}takenBack(e){this.messages=o(this.messages,e),this.host.changed()}expire(e){this.find(e)?.decision||this.patch(e,{decision:"expired",followUps:[]})}clear(){this.stop(),this.sent.clear(),Object.assign(this,{id:null,title:"",messages:[],entities:[],mood:null,loadError:null}),this.host.kept(null),this.host.changed()}async open(e){this.stop(),this.sent.clear(),Object.assign(this,{id:e,title:"",messages:[],entities:[],mood:null,loadError:null,isLoading:!0}),this.host.changed();try{let s=await(async({rest:e},s)=>{let t,i;for(let a=0;a<20;a+=1){let a=await $(e.GET("/api/ai/conversations/{id}",{params:{path:{id:s},query:{limit:50,...t?{cursor:t}:{}}}}));if(i=i?{...a,messages:[...i.messages,...a.messages]}:a,t=a.nextCursor??void 0,!t)break}return i})(this.host.api,e);if(this.id!==e)return;this.title=s.title,this.entities=s.entities,this.messages=(e=>{let s=e.messages.filter(e=>"user"===e.role||"assistant"===e.role).map(j),i=s.at(-1);if(e.confirmation&&"assistant"===i?.role){let{confirmation:a,entities:n}=e;s[s.length-1]={...i,confirmation:a,plan:t(a),entities:n}}return s})(s),this.mood=this.messages.findLast(e=>e.mood)?.mood??null,this.host.kept(e)}catch(s){if(this.id!==e)return;let t=f(s);404===t.status?this.clear():this.loadError=t}finally{(this.id===e||null===this.id)&&(this.isLoading=!1),this.host.changed()}}patch(e,s){this.messages=this.messages.map(t=>t.key===e?{...t,...s}:t),this.host.changed()}find(e){return this.messages.find(s=>s.key===e)}body(){return{...this.host.request(),...this.id?{conversationId:this.id}:{}}}async run(e,s){this.sent.set(e,s),this.hide(s.replaced);let{signal:t}=this.begin(),{api:i}=this.host,a=s.path===D?async function*({rest:e},{provider:s,model:t},i){let{response:a,scanType:n}=await $(e.POST(D,{body:{provider:s,model:t},signal:i})),o=n?[n]:[];yield{type:"text-delta",id:"1",delta:a},yield{type:"data-conclusions",data:{sources:[],insights:[],nextSteps:[],recommendedScans:o}}}(i,s.body,t):x(i,s.path,s.body,s.key,t);try{for await(let t of a){"start"===t.type&&this.begun(t.messageMetadata.conversationId),this.followPlan(s,t);let[i,a]=r(this.find(e),t,performance.now());this.replace(i),this.take(a)}this.finish(e)}catch(i){t.aborted?(this.patch(e,{state:"stopped",...F(this.find(e))}),this.endPlan(s),this.showAgain(s.replaced,e)):this.fail(e,f(i),s)}finally{this.end()}let n=this.find(e)?.needs;n&&!t.aborted&&await this.answerNeeds(e,n,s)}async answerNeeds(e,s,t){if(t.body.attachedData)return;let i=await this.host.provide(s).catch(()=>null);if(!i?.attachedData||"idle"!==this.phase)return;let a={...t.body,...this.body(),...i,replaces:null};this.patch(e,{needs:null,text:"",state:"streaming"}),await this.run(e,{path:t.path,body:a,key:k(),replaced:[]})}followPlan({asked:e},s){let t=e&&this.find(e.key)?.plan;t&&this.patch(e.key,{plan:i(t,s)})}endPlan({asked:e}){let s=e&&this.find(e.key)?.plan;s&&this.patch(e.key,{plan:a(s)})}begin(){return this.running=new AbortController,this.phase="processing",this.host.changed(),this.running}end(){this.running=null,this.phase="idle",this.host.changed()}begun(e){this.id!==e&&(this.id=e,this.host.kept(e))}finish(e){let s=this.find(e);this.patch(e,{state:"done",at:new Date}),s.entities.length&&(this.entities=s.entities),s.mood&&(this.mood=s.mood),s.confirmation&&this.host.confirmationNeeded(s.confirmation),this.host.answered(this.find(e))}fail(e,s,t){let{asked:i}=t;if(this.patch(e,{state:"failed",error:s,...F(this.find(e))}),i){let e=G.has(s.status);this.patch(i.key,e?{decision:"settled"}:{decision:null,followUps:i.followUps}),this.endPlan(t)}this.showAgain(t.replaced,e),this.host.answered(this.find(e))}hide(e){let s=new Set(e.map(e=>e.key));this.messages=this.messages.filter(e=>!s.has(e.key))}showAgain(e,s){let t=this.messages.findIndex(e=>e.key===s)-1;this.messages=this.messages.toSpliced(t,0,...e)}take({changes:e,navigation:s,isUndo:t}){e.length&&this.host.recordsChanged(e),t&&this.host.takenBack(e.map(({id:e})=>e)),s&&this.host.navigated(s)}replace(e){this.messages=this.messages.map(s=>s.key===e.key?e:s),this.host.changed()}settlePending(){let{pending:e}=this;e&&(this.messages=this.messages.map(s=>s===e?{...s,decision:"settled"}:s))}};function F(e){return e?{steps:l(e).steps}:{}}function H(e){let s=0;for(let t of e)s=Math.imul(s,31)+t.codePointAt(0)|0;return(s>>>0).toString(36)}var Z=class extends m{constructor(){super(...arguments),this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1}render(){let{message:e,words:s}=this;return p`<div class="footer" role="group" aria-label=${s.say("answer_actions")}>
${e.changes.length?p`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${B("undo",14)}
${"done"===e.undo?s.say("undone"):s.count("undo",e.changes.length)}
</button>`:u}
${this.last&&e.isReplaceable?W(s.say("answer_again"),"retry",()=>this.actions.answerAgain(e.key),this.busy):u}
${W(s.say(this.isCopied?"copied":"copy"),this.isCopied?"check":"copy",()=>this.copy())}
${W(s.say(this.speaking?"stop_reading":"read_aloud"),this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${s} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${s.moment(e.at)}</span>
</div>`}timing(){let{words:e,message:s}=this,{usage:t,ttsMs:i}=s;if(!t)return"";let{totalMs:a,llmMs:n}=t.timing;return`${[e.say("timing",{total:e.seconds(a)}),e.say("timing_model",{llm:e.seconds(n)}),...i?[e.say("timing_voice",{tts:e.seconds(i)})]:[]].join(", ")} · ${t.model}`}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};function W(e,s,t,i=!1){return p`<button
class="icon-button small"
aria-label=${e}
title=${e}
?disabled=${i}
@click=${t}
>
${B(s,15)}
</button>`}Z.styles=[A,c`.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],S([g({attribute:!1})],Z.prototype,"message",2),S([g({attribute:!1})],Z.prototype,"words",2),S([g({attribute:!1})],Z.prototype,"actions",2),S([g({type:Boolean})],Z.prototype,"last",2),S([g({type:Boolean})],Z.prototype,"busy",2),S([g({type:Boolean})],Z.prototype,"speaking",2),S([y()],Z.prototype,"isCopied",2),Z=S([z("aisha-answer-actions")],Z);var X=["search","get","list","create","update","delete"];function J(e,s){let t=s.named("does_",e,"");if(t)return t;let[i,...a]=e.split("_"),n=X.find(e=>e===i);if(!n||!a.length)return O(e);let o=a.join("_");return s.say(`tool_${n}`,{what:s.named("types_",o,s.named("type_",o,O(o).toLowerCase()))})}var Q=class extends m{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return u;let e=this.steps.reduce((e,s)=>e+(s.durationMs??0),0);return p`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?p` · ${this.words.seconds(e)}`:u}</span
>
<span class="chevron">${B("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let t=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return p`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${J(e.tool,this.words)}${t?p` · ${t}`:u}</span>
<span class="time" dir="auto"
>${null===e.durationMs?u:this.words.seconds(e.durationMs)}</span
>
</summary>
${s(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let s=p`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?p`<span class="spinner"></span>${s}`:p`${B("done"===e?"check":"failed"===e?"close":"clock",14)}${s}`}};Q.styles=[A,c`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],S([g({attribute:!1})],Q.prototype,"steps",2),S([g({attribute:!1})],Q.prototype,"names",2),S([g({attribute:!1})],Q.prototype,"words",2),Q=S([z("aisha-steps")],Q);var Y=class extends m{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.editable=!1,this.busy=!1,this.speaking=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?p`<div class="asked">
<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>
${this.editable?W(this.words.say("edit_message"),"edit",()=>this.actions.edit(e.key)):u}
</div>`:p`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?u:this.findings()}
</article>`}updated(e){let{text:s,state:t}=this.message,i=`${"streaming"===t}${s}`;e.has("message")&&this.prose&&i!==this.shown&&(this.prose.replaceChildren(C(s,"streaming"===t)),this.shown=i)}get names(){return e(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:s}=this.message,t=s.map(e=>e.name).join(", ");return p`${t?p`<p class="system">${B("undo",14)} ${this.words.say("undone_names",{names:t})}</p>`:u}
${e?p`<aisha-notice .words=${this.words} .text=${_(e,this.words)}></aisha-notice>`:u}`}status(){let{message:e,words:s}=this;if("streaming"!==e.state)return u;let t=e.steps.findLast(e=>"running"===e.state);if(e.text&&!t)return u;let i=t?`${J(t.tool,s)}…`:s.say("thinking");return p`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${i}</span>
</div>`}marks(){let{message:e,words:s}=this;if("stopped"===e.state)return this.stopped();if("unfinished"===e.state)return ee(s.say("unfinished"));if(e.needs&&"done"===e.state)return ee(s.say("needs_data",{names:se(e.needs)}));let{error:t}=e;if(t){let a="offline"===t.code;return p`<aisha-notice
.words=${s}
.text=${_(t,s)}
.retryAfter=${t.retryAfter}
.reference=${t.requestId??""}
?calm=${a||429===t.status}
?retryable=${i=t.status,!([402,403,404,410,413,422].includes(i)||a||e.decision)}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`}var i;return u}stopped(){let e=p`<button
class="button"
?disabled=${this.busy}
@click=${()=>this.actions.retry(this.message.key)}
>
${B("retry",15)} ${this.words.say("retry")}
</button>`;return p`${ee(this.words.say("stopped"),"stop")}${this.last?e:u}`}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?p`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:u}findings(){let{message:e,words:s}=this;if("failed"===e.state)return u;let t=E(e.text),i=[...e.insights.map(e=>["bulb",e]),...e.nextSteps.filter(e=>!t.includes(e)).map(e=>["plan",e])];return p`
${e.warnings.map(e=>ee(e))} ${e.usage?.degraded?ee(s.say("degraded")):u}
${i.length?p`<div class="section">
<ul class="insights" aria-label=${s.say("insights")}>
${i.map(([e,s])=>p`<li dir="auto">${B(e,16)}<span>${s}</span></li>`)}
</ul>
</div>`:u}
${e.sources.length?p`<aisha-sources .message=${e} .words=${s} .actions=${this.actions}></aisha-sources>`:u}
${e.text?p`<aisha-answer-actions
.message=${e}
.words=${s}
.actions=${this.actions}
?last=${this.last}
?busy=${this.busy}
?speaking=${this.speaking}
></aisha-answer-actions>`:u}
${this.last?p`<aisha-follow-ups
.message=${e}
.words=${s}
.actions=${this.actions}
?busy=${this.busy}
></aisha-follow-ups>`:u}
`}};function ee(e,s="alert"){return p`<p class="mark">${B(s,14)}<span>${e}</span></p>`}function se({data:e}){return e.sections.map(({sectionId:e})=>O(e).toLowerCase()).join(", ")}Y.styles=[A,h,c`:host{display:block;padding-block:var(--aisha-2)}.asked{display:flex;flex-direction:row-reverse;align-items:center;gap:var(--aisha-1)}.user{max-inline-size:85%;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.mark svg{flex:none}.section{margin-block-start:var(--aisha-3)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}`],S([g({attribute:!1})],Y.prototype,"message",2),S([g({attribute:!1})],Y.prototype,"words",2),S([g({attribute:!1})],Y.prototype,"actions",2),S([g({attribute:!1})],Y.prototype,"records",2),S([g()],Y.prototype,"name",2),S([g({type:Boolean})],Y.prototype,"last",2),S([g({type:Boolean})],Y.prototype,"editable",2),S([g({type:Boolean})],Y.prototype,"busy",2),S([g({type:Boolean})],Y.prototype,"speaking",2),S([v(".prose")],Y.prototype,"prose",2),Y=S([z("aisha-message")],Y);var te=class extends m{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.editable="",this.busy=!1,this.follows="question",this.placed=0,this.isMoreBelow=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>this.place()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let s=e.get("messages");s&&this.messages.length>s.length&&"streaming"===this.messages.at(-1)?.state&&(this.follows="user"===this.messages.at(-2)?.role?"question":"end"),this.place()}render(){let e=this.messages.at(-1)?.key;return p`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(s=>p`<aisha-message
.message=${s}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${s.key===e}
?editable=${s.key===this.editable}
?busy=${this.busy}
?speaking=${s.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isMoreBelow?p`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.toEnd}
>
${B("down")}
</button>`:u}`}scrolled(){let{scrollTop:e}=this.frame;Math.abs(e-this.placed)>2&&(this.follows=this.end-e<80?"end":"nothing"),this.isMoreBelow=this.end-e>80}toEnd(){this.follows="end",this.place()}get end(){return this.frame.scrollHeight-this.frame.clientHeight}get start(){let e=this.messages.findLastIndex(e=>"user"===e.role),{confirmation:s,decision:t}=this.messages.at(-1)??{},i=this.content.children[e];return!i||s&&!t?this.end:Math.min(i.offsetTop-this.content.offsetTop,this.end)}place(){this.frame&&("nothing"!==this.follows&&(this.frame.scrollTop="end"===this.follows?this.end:this.start,this.placed=this.frame.scrollTop),this.isMoreBelow=this.end-this.frame.scrollTop>80)}};te.styles=[A,c`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline-end:var(--aisha-3);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],S([g({attribute:!1})],te.prototype,"messages",2),S([g({attribute:!1})],te.prototype,"records",2),S([g({attribute:!1})],te.prototype,"words",2),S([g({attribute:!1})],te.prototype,"actions",2),S([g()],te.prototype,"name",2),S([g()],te.prototype,"speaking",2),S([g()],te.prototype,"editable",2),S([g({type:Boolean})],te.prototype,"busy",2),S([y()],te.prototype,"isMoreBelow",2),S([v(".scroll")],te.prototype,"frame",2),S([v(".messages")],te.prototype,"content",2),te=S([z("aisha-transcript")],te);var ie=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function ae({label:e},s,t,i){"quick_next"===e?i.recommend():i.send(s.sentence(`${e}_text`,t))}var ne=class extends m{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return p`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):u}
${ie.map((e,s)=>this.item(e,s+1))}
</ul>`}item(e,s){let{words:t,english:i,actions:a,busy:n}=this,{label:o}=e,r="quick_next"===o?t.say("quick_next_about"):t.sentence(`${o}_text`,i);return p`<li>
<button ?disabled=${n} @click=${()=>ae(e,t,i,a)} aria-keyshortcuts=${s??u}>
${B(e.icon,20)}
<span class="text"><strong>${t.say(o)}</strong><span>${r}</span></span>
${s?p`<kbd aria-hidden="true">${s}</kbd>`:u}
</button>
</li>`}};ne.styles=[A,c`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],S([g({attribute:!1})],ne.prototype,"words",2),S([g({attribute:!1})],ne.prototype,"actions",2),S([g({type:Boolean,attribute:"on-record"})],ne.prototype,"onRecord",2),S([g({type:Boolean})],ne.prototype,"english",2),S([g({type:Boolean})],ne.prototype,"busy",2),ne=S([z("aisha-welcome")],ne);var oe=class extends m{constructor(){super(...arguments),this.name="",this.speaking="",this.english=!1,this.onRecord=!1}render(){let{words:e,conversation:s}=this;return s.isLoading?p`<p class="loading" role="status">${e.say("loading")}</p>`:s.loadError?p`<div class="empty">
<aisha-notice
.words=${e}
.text=${_(s.loadError,e)}
.retryAfter=${s.loadError.retryAfter}
.reference=${s.loadError.requestId??""}
retryable
@retry=${()=>s.open(s.id)}
></aisha-notice>
</div>`:s.messages.length?p`<aisha-transcript
.messages=${s.messages}
.records=${s.entities}
.words=${e}
.actions=${this.actions}
.name=${this.name}
.speaking=${this.speaking}
.editable=${s.editable?.key??""}
?busy=${"idle"!==s.phase}
></aisha-transcript>`:p`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.english}
?on-record=${this.onRecord}
?busy=${"idle"!==s.phase}
></aisha-welcome>
<aisha-suggestions .api=${this.api} .words=${e} .actions=${this.actions}></aisha-suggestions>
</div>`}};oe.styles=[A,c`:host{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],S([g({attribute:!1})],oe.prototype,"api",2),S([g({attribute:!1})],oe.prototype,"words",2),S([g({attribute:!1})],oe.prototype,"actions",2),S([g({attribute:!1,hasChanged:()=>!0})],oe.prototype,"conversation",2),S([g()],oe.prototype,"name",2),S([g()],oe.prototype,"speaking",2),S([g({type:Boolean})],oe.prototype,"english",2),S([g({type:Boolean,attribute:"on-record"})],oe.prototype,"onRecord",2),oe=S([z("aisha-conversation")],oe);var re=class{constructor(e){this.panel=e,this.assistantName="AiSHA",this.isEnglishOnly=!1,this.voices=[]}async ask({rest:e},s){let[t,i]=await Promise.all([s?$(e.GET("/api/ai/profile")).catch(()=>null):null,$(e.GET("/api/ai/models")).catch(()=>null)]);t?.assistantName&&(this.assistantName=t.assistantName),this.isEnglishOnly="offline"===i?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?i?.realtimeVoices??[]:[],this.panel.requestUpdate()}},le=class extends m{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:s}=this;return p`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${s?this.moodMark(s):u}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):u}
`}moodMark(e){let s=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return p`<span role="img" aria-label=${s} title=${s}>${e.emoji}</span>`}button(e,s,t,i,a=!1){let n=this.words.say(e);return p`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${i??u}
?disabled=${a}
@click=${t}
>
${B(s)}
</button>`}sound(){let e=this.words.say("read_answers");return p`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${B(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};le.styles=[A,c`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700;box-shadow:0 0 0 calc(var(--aisha-level, 0) * 16px) var(--aisha-accent-soft)}@media(prefers-reduced-motion:reduce){.mark{box-shadow:none}}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;white-space:nowrap;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],S([g({attribute:!1})],le.prototype,"words",2),S([g({attribute:!1})],le.prototype,"mood",2),S([g()],le.prototype,"name",2),S([g()],le.prototype,"state",2),S([g()],le.prototype,"view",2),S([g({type:Boolean})],le.prototype,"minimisable",2),S([g({type:Boolean})],le.prototype,"fresh",2),S([g({type:Boolean})],le.prototype,"aloud",2),le=S([z("aisha-header")],le);var he=class extends m{constructor(){super(...arguments),this.name="",this.unread=!1}render(){let{words:e}=this,s=e.say(this.unread?"open_unread":"open");return p`<button dir=${e.direction} lang=${e.language} aria-label=${s} title=${s}>
<span aria-hidden="true">${this.name.slice(0,1)}</span>
${this.unread?p`<span class="unread"></span>`:u}
</button>`}};he.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},he.styles=[A,c`button{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}`],S([g({attribute:!1})],he.prototype,"words",2),S([g()],he.prototype,"name",2),S([g({type:Boolean})],he.prototype,"unread",2),he=S([z("aisha-launcher")],he);var de=class{constructor(e,s){this.panel=e,this.returned=s,this.isOnline=navigator.onLine,this.changed=()=>{this.isOnline=navigator.onLine,this.panel.requestUpdate(),this.isOnline&&this.returned()},e.addController(this)}hostConnected(){addEventListener("online",this.changed),addEventListener("offline",this.changed)}hostDisconnected(){removeEventListener("online",this.changed),removeEventListener("offline",this.changed)}},ce="aisha.";function pe(e){try{return localStorage.getItem(ce+e)}catch{return null}}function ue(e,s){try{null===s?localStorage.removeItem(ce+e):localStorage.setItem(ce+e,s)}catch{}}var me={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function ge(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var ye=class{constructor(e,s){this.recogniser=new(ge()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let t="",i=null;this.recogniser.addEventListener("result",e=>{let{results:i}=e;t=Array.from(i,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),s(t)}),this.recogniser.addEventListener("error",e=>{i={problem:me[e.error]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(t?{text:t}:i??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},ve=class{constructor(e,s){this.panel=e,this.host=s,this.canListen=void 0!==ge(),this.heard="",this.speaking=null,this.problem="",this.listening=null,this.talk=async()=>{if(this.listening)return;this.stop(),this.show({problem:"",heard:""});let e=this.host.words();try{this.listening=new ye(e.locale,e=>this.show({heard:e}))}catch{return void this.tell(e.say("error_microphone"))}this.panel.requestUpdate();let s=await this.listening.heard;this.listening=null,this.show({heard:""}),this.host.said("text"in s?s.text:""),"problem"in s&&this.tell(e.say(`error_${s.problem}`))},this.finish=()=>this.listening?.finish(),e.addController(this)}hostDisconnected(){this.stop()}get isListening(){return null!==this.listening}stop(){this.speech?.stop(),this.show({speaking:null})}restart(){this.stop(),this.speech=void 0}tell(e){this.show({problem:e})}async read(e,s){let t=this.speaking===e;this.stop();let i=this.host.textOf(e);if(t||!i)return;this.show({speaking:e});try{this.speech??=new((await import("./parts/views-MZKXPG5B.js")).Speech)(this.host.api(),this.host.sounds)}catch{return void this.show({speaking:null,problem:this.host.words().say("error_unreachable")})}if(this.speaking!==e)return;let a=await this.speech.say(i,this.host.words().locale,s);this.speaking===e&&this.show({speaking:null}),this.host.timed(e,a)}show(e){Object.assign(this,e),this.panel.requestUpdate()}},be=class{constructor(e,s){this.takenBack=s,e.addController(this)}hostConnected(){try{this.channel=new BroadcastChannel("aisha.taken_back"),this.channel.onmessage=({data:e})=>this.takenBack(e)}catch{}}hostDisconnected(){this.channel?.close()}tell(e){this.channel?.postMessage(e)}},fe=class extends m{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.clientSections=[],this.provideData=null,this.view="chat",this.isUnread=!1,this.announced="",this.isCalling=!1,this.viewsError=null,this.editing=null,this.preferences={theme:pe("theme")??"midnight",model:pe("model")??"",isReadAloud:"yes"===pe("aloud"),voice:pe("voice")??"",callVoice:pe("call_voice")??"",isPlanning:"yes"===pe("plan")},this.words=new q("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e),d(this.composer)},runScan:e=>{let{isEnglishOnly:s}=this.deployment,t=s?O(e).toLowerCase():this.words.named("scan_",e,O(e));this.actions.send(this.words.sentence("run_scan_text",s,{name:t}))},recommend:()=>{this.recommend(),d(this.composer)},retry:e=>{this.conversation.retry(e),d(this.composer)},answerAgain:e=>{this.conversation.answerAgain(e),d(this.composer)},edit:e=>{this.edit(e)},decide:(e,s,t)=>{this.conversation.decide(e,s,t),d(this.composer)},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.speech.read(e,this.preferences.voice)},rate:(e,s,t)=>this.rate(e,s,t),announce:e=>this.announce(e),changed:e=>this.tellChanges(e)},this.deployment=new re(this),this.network=new de(this,()=>{this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)}),this.tabs=new be(this,e=>this.conversation.takenBack(e)),this.speech=new ve(this,{api:()=>this.client,words:()=>this.words,textOf:e=>this.conversation.find(e)?.text,said:e=>{this.composer?.fill(""),e&&this.say(e)},sounds:e=>this.style.setProperty("--aisha-level",e.toFixed(2)),timed:(e,s)=>{var t;this.conversation.patch(e,{ttsMs:s}),T(this.client,{commandName:"read_aloud",commandType:"voice",success:!0,executionTimeMs:t=s,timing:{ttsMs:t}})}}),this.beginCall=async()=>{this.speech.stop(),this.speech.tell(""),await this.loadViews(),this.viewsError?this.speech.tell(_(this.viewsError,this.words)):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),e||this.speech.stop()},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,ue("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector("aisha-launcher")?.focus()},this.restore=async()=>{this.minimised=!1,ue("minimised",null),await this.updateComplete,d(this.composer)},this.pressed=e=>{let[s]=e.composedPath(),t=s?.matches("input, textarea, select, [contenteditable]");"Escape"===e.key&&"chat"!==this.view&&this.show("chat"),!(t||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)&&((e,s,t,i)=>{let a=/^[1-3]$/.test(e.key)?ie[Number(e.key)-1]:void 0;a&&(e.preventDefault(),ae(a,s,t,i))})(e,this.words,this.deployment.isEnglishOnly,this.actions)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}takenBack(e){this.conversation.takenBack(e),this.tabs.tell(e)}connectedCallback(){super.connectedCallback(),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.conversation?.stop()}firstUpdated(){this.loadViews()}willUpdate(e){this.hasUpdated||(this.hasAttribute("theme")&&(this.preferences={...this.preferences,theme:this.theme}),this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===pe("minimised")&&(this.minimised=!0)),(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised),this.dataset.theme="light"===this.theme||"system"===this.theme&&!this.isDark.matches?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language;e!==this.wordsOf&&(this.wordsOf=e,this.words=await L(e)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout)return p`<aisha-launcher
.words=${e}
name=${this.calledName}
?unread=${this.isUnread}
@click=${this.restore}
></aisha-launcher>
${this.announcer()}`;let{conversation:s}=this;return p`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${s.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===s.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.network.isOnline?u:p`<p class="banner" role="status">${B("offline",16)} ${e.say("offline")}</p>`}
${this.speech.problem?p`<p class="banner" role="status">${B("mic",16)} ${this.speech.problem}</p>`:u}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():p`<aisha-composer
.words=${e}
.earlier=${s.spoken}
.heard=${this.speech.heard}
.editing=${this.editingWords}
@cancel=${()=>this.editing=null}
placeholder=${e.say(s.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==s.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${this.speech.isListening}
?voice=${this.speech.canListen}
@send=${e=>this.say(e.detail,this.editing)}
@stop=${()=>s.stop()}
?calls=${this.deployment.voices.length>0}
@call=${this.beginCall}
@talk=${this.speech.talk}
@release=${this.speech.finish}
></aisha-composer>`:u}
</div>
${this.announcer()}
</section>`}call(){return p`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
voice=${this.preferences.callVoice}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return p`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:s,client:t,viewsError:i}=this;return"chat"!==this.view&&i?p`<aisha-notice
.words=${e}
.text=${_(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>`:"history"===this.view?p`<aisha-history
.api=${t}
.words=${e}
.current=${s.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===s.id&&s.clear()}
></aisha-history>`:"settings"===this.view?p`<aisha-settings
.api=${t}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:p`<aisha-conversation
.api=${t}
.words=${e}
.actions=${this.actions}
.conversation=${s}
name=${this.calledName}
speaking=${this.speech.speaking??""}
?english=${this.deployment.isEnglishOnly}
?on-record=${!!this.recordId}
></aisha-conversation>`}get calledName(){return this.name||this.deployment.assistantName}get panelState(){return this.network.isOnline?this.speech.isListening?"listening":"idle"!==this.conversation.phase?"processing":this.speech.speaking?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=w({api:this.api,token:e=>this.tokenSource().then(s=>s(e)),door:"widget"});this.client=e,this.speech.restart();let s={api:e,request:()=>((e,{model:s},t)=>{let{page:i,recordType:a,recordId:n,clientSections:o}=e,[r,...l]=s.split("/"),h={page:i||null,recordType:a||null,recordId:n||null};return{locale:t,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,clientSections:o,...r?{provider:r,model:l.join("/")}:{},...i||n?{context:h}:{}}})(this,this.preferences,this.words.locale),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>ue(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),takenBack:e=>this.takenBack(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)};this.conversation=new V(s),this.deployment.ask(e,!this.name);let t=pe(`conversation.${this.api}`);t&&this.conversation.open(t)}async tokenSource(){return this.token||await this.tokenGiven,this.token}async say(e,s=null){this.quieten(),await this.conversation.send(e,s)}quieten(){this.view="chat",this.speech.tell(""),this.speech.stop(),this.editing=null}async edit(e){this.editing=e,await this.updateComplete,this.composer?.edit(this.conversation.find(e).text)}get editingWords(){let{editing:e,conversation:s}=this;return null!==e&&s.find(e)?this.words.say(s.isReplaceable(e)?"editing_replaces":"editing_follows"):""}askAgain(e){let{messages:s}=this.conversation,t=s.findIndex(s=>s.key===e),i=s.slice(0,Math.max(t,0)).findLast(e=>"user"===e.role);i&&this.say(i.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0),this.announce((({error:e,role:s,changes:t,confirmation:i,text:a},n)=>e?_(e,n):"system"===s?n.say("undone_names",{names:t.map(e=>e.name).join(", ")}):i?n.say("confirm_needed",{question:E(i.question)}):E(a))(e,this.words)),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.actions.speak(e.key)}async endCall({conversationId:e,problem:s}){this.isCalling=!1,this.speech.tell(s),e&&this.conversation.open(e),await this.updateComplete,d(this.composer)}rate(e,s,t){this.conversation.patch(e,{feedback:s});let i=(n=t,"down"!==(a=s)||n?{commandName:"answer_feedback",commandType:"feedback",success:"up"===a,executionTimeMs:0,errorMessage:n}:null);var a,n;i&&T(this.client,i)}async recommend(){this.quieten();let e=this.words.sentence("quick_next_text",this.deployment.isEnglishOnly),s=performance.now(),t=await this.conversation.recommend({text:e,icon:"💡"});if(null===t)return;let i=Math.round(performance.now()-s);T(this.client,{commandName:"next_step_recommendation",commandType:"button_command",success:t,executionTimeMs:i})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let s of e)this.tell("recordchanged",s)}tell(e,s){this.dispatchEvent(new CustomEvent(e,{detail:s,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){var s;this.preferences=e,this.theme=e.theme,ue("theme",(s=e).theme),ue("model",s.model||null),ue("aloud",s.isReadAloud?"yes":null),ue("voice",s.voice||null),ue("call_voice",s.callVoice||null),ue("plan",s.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&d(this.composer)}async loadViews(){this.viewsError=await import("./parts/views-MZKXPG5B.js").then(()=>null,()=>new b(0,"unreachable",""))}};fe.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},fe.styles=[R,A,c`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template:auto auto minmax(0,1fr) auto / minmax(0,1fr);background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}`],S([g()],fe.prototype,"api",2),S([g({reflect:!0})],fe.prototype,"theme",2),S([g({reflect:!0})],fe.prototype,"layout",2),S([g()],fe.prototype,"locale",2),S([g()],fe.prototype,"name",2),S([g({attribute:"record-type"})],fe.prototype,"recordType",2),S([g({attribute:"record-id"})],fe.prototype,"recordId",2),S([g()],fe.prototype,"page",2),S([g({type:Boolean,reflect:!0})],fe.prototype,"minimised",2),S([g({attribute:!1})],fe.prototype,"token",2),S([g({attribute:!1})],fe.prototype,"clientSections",2),S([g({attribute:!1})],fe.prototype,"provideData",2),S([y()],fe.prototype,"view",2),S([y()],fe.prototype,"isUnread",2),S([y()],fe.prototype,"announced",2),S([y()],fe.prototype,"isCalling",2),S([y()],fe.prototype,"viewsError",2),S([y()],fe.prototype,"editing",2),S([y()],fe.prototype,"preferences",2),S([v("aisha-composer")],fe.prototype,"composer",2),fe=S([z("aisha-assistant")],fe);export{fe as AishaAssistant};